import Fief
import Foundation
import Testing

/// A small store that is watched while the test writes to it.
enum WatchedStore {
  final class Animal: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted var note: String?
    @Persisted var tags: List<String>
    @Persisted var friend: Animal?
  }

  final class Visit: Object {
    @Persisted var text = ""
  }

  struct Repository: DatabaseConfigurable {
    let directory: String?
    var version: UInt64 = 1
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "zoo" }
    var schemaVersion: UInt64? { version }
    var objectTypes: [Object.Type]? { version == 1 ? [Animal.self, Visit.self] : [Animal.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { { _, _ in } }
  }

  /// Calls a closure with a store and its path; afterwards it must be whole.
  static func with(_ body: (DynamicStore, String) throws -> Void) throws {
    try ToolStores.withDirectory { directory in
      let repository = Repository(directory: directory)
      if let error = repository.store().openingError { throw error }
      repository.close()
      let store = try DynamicStore(directory: directory + "/zoo", isReadOnly: false)
      defer { store.close() }
      try body(store, directory + "/zoo")
      if FileManager.default.fileExists(atPath: directory + "/zoo") {
        #expect(try store.check().problems == [])
      }
    }
  }
}

extension DynamicStore {
  /// Puts an animal, over the one with the same name.
  func put(_ name: String, _ values: [String: Any?]) throws {
    try write { transaction in
      _ = try transaction.put("Animal", values.merging(["name": name]) { $1 }, onConflict: .merge)
    }
  }
}

/// Random numbers that a seed gives again.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
