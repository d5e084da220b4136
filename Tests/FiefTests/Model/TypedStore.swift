import Fief
import FiefEncryption
import Foundation
import Testing

@testable import FiefCore

/// The place of a test's store.
enum TypedPlace: String, CaseIterable, CustomTestStringConvertible {
  case disk, memory
  /// In memory and encrypted.
  case encrypted

  /// The places of suites whose stores are never encrypted.
  static let inClear: [TypedPlace] = [.disk, .memory]

  var testDescription: String { rawValue }

  /// The options of a store in the place.
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    if self == .encrypted { options.encryption = .key(Data(repeating: 7, count: 32)) }
    return options
  }
}

/// A repository for one test, with a directory of its own that goes with it.
final class TypedStore: DatabaseConfigurable {
  let place: TypedPlace
  let types: [Object.Type]
  let embeddedTypes: [EmbeddedObject.Type]
  private let events: (@Sendable (StoreEvent) -> Void)?
  private let parent: String
  /// The store in memory.
  private var inMemory: Store?

  /// - Parameter events: receives the store's events.
  init(
    _ place: TypedPlace,
    _ types: [Object.Type],
    embedded: [EmbeddedObject.Type] = [],
    events: (@Sendable (StoreEvent) -> Void)? = nil
  ) throws {
    self.place = place
    self.events = events
    self.types = types
    self.embeddedTypes = embedded
    parent = FileManager.default.temporaryDirectory.path + "/fief-model-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let store = store()
    if let error = store.openingError { throw error }
    if place != .disk { inMemory = store }
  }

  deinit {
    // One in memory that the test closed itself is gone; one on disk is opened again.
    if inMemory?.openedCore?.isClosed != true { expectWhole(inMemory ?? store()) }
    close()
    try? FileManager.default.removeItem(atPath: parent)
  }

  /// One in memory has an identifier: without one the next store that is opened would close it while this object goes.
  var realmMemoryType: RealmMemoryType { place == .disk ? .inStorage : .inMemory(identifier: parent) }
  var schemaName: String? { "model" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { types }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { embeddedTypes }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String? { parent }
  var storeOptions: StoreOptions {
    var options = place.storeOptions
    if let events { options.eventHandler = events }
    return options
  }

  /// Checks the store and closes one on disk, so that the next use reads what is there; one in memory
  /// would be gone.
  func reopen() {
    do {
      #expect(try check().problems == [])
    } catch {
      Issue.record(error)
    }
    if place == .disk { close() }
  }

  func put(_ objects: Object..., update: UpdatePolicy = .all) throws { try put(objects, update: update) }

  func put(_ objects: [Object], update: UpdatePolicy = .all) throws {
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try saveAndWait(entities: objects, update: update)
      return true
    }
    _ = try #require(outcome).get()
  }

  func putJSON(
    _ type: Object.Type,
    _ text: String,
    update: UpdatePolicy = .all,
    options: JSONOptions = .default
  ) throws {
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try saveAndWait(saveClass: type, jsonData: Data(text.utf8), update: update, options: options)
      return true
    }
    _ = try #require(outcome).get()
  }

  func get<Element: Object>(_ type: Element.Type, _ key: Any) throws -> Element {
    try read { try #require(try $0.object(ofType: type, forPrimaryKey: key)) }
  }
}

/// The error that a closure throws.
func typedError(_ body: () throws -> Void) throws -> FiefError {
  try #require(throws: FiefError.self, performing: body)
}
