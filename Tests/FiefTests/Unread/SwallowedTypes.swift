import Fief
import Foundation

@testable import FiefCore

final class SwallowedPost: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(index: .unique) var code: String?
  @Persisted var points = 0
  @Persisted var answerTo: SwallowedPost?
  @Persisted var note: SwallowedNote?
  @Persisted var settings: SwallowedSettings
  @Persisted var lowercased = ""

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("lowercased", .lowercased(of: "name"))]
  }
}

/// No primary key.
final class SwallowedNote: Object {
  @Persisted var text = ""
}

struct SwallowedSettings: PersistableCodable {
  var scale = 1.0
}

/// A store with two readers, whose failures are kept.
struct SwallowedStore: DatabaseConfigurable {
  let realmMemoryType: RealmMemoryType
  let directory: String?
  let failures = Lock<[FiefError.Code?]>([])
  var storeOptions = StoreOptions()
  var schemaName: String? { "swallowed" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [SwallowedPost.self, SwallowedNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }

  init(_ place: TypedPlace, directory: String) {
    realmMemoryType = place == .memory ? .inMemory(identifier: directory) : .inStorage
    self.directory = directory
    storeOptions.maximumReaders = 2
    storeOptions.eventHandler = { [failures] event in
      if event.isFailure {
        failures.withLock { $0.append(event.failure?.code) }
      }
    }
  }

  static func with(_ place: TypedPlace, _ body: (SwallowedStore) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = SwallowedStore(place, directory: directory.path)
    defer { store.close() }
    try body(store)
  }

  func fill() throws {
    try write { transaction in
      let first = SwallowedPost(value: ["id": 1, "name": "ONE", "code": "a", "points": 1])
      let second = SwallowedPost(value: ["id": 2, "name": "TWO", "code": "b", "points": 2])
      second.answerTo = first
      second.note = SwallowedNote(value: ["text": "noted"])
      try transaction.add(second)
    }
  }

  /// The failures since they were asked for last.
  func takeFailures() -> [FiefError.Code?] {
    failures.withLock { failures in
      defer { failures = [] }
      return failures
    }
  }

  /// Calls a closure while no reader is free.
  func withoutReaders<Value>(_ body: () throws -> Value) throws -> Value {
    try read { _ in try read { _ in try body() } }
  }

  /// Changes the record of an object behind the library's back.
  func changeRecord(
    of type: String,
    key: [UInt8]? = nil,
    _ change: (inout [UInt8]) -> Void
  ) throws {
    let core = try store().core()
    guard let records = core.tables[type]?.records else { return }
    try core.environment.write { transaction in
      let cursor = try transaction.cursor(records)
      guard try cursor.first() else { return }
      let key = key ?? [UInt8](cursor.key)
      try key.withUnsafeBytes { key in
        guard let record = try transaction.get(records, key) else { return }
        var bytes = [UInt8](record)
        change(&bytes)
        try bytes.withUnsafeBytes { try transaction.put(records, key, $0) }
      }
    }
  }
}
