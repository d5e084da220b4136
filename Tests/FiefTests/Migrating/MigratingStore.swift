import Fief
import Foundation
import Testing

/// The description of a store at one of its versions.
struct MigratingStore: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "migrated" }
  var schemaVersion: UInt64?
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]?
  var migrationBlock: MigrationBlock?
  var migrationPlan: MigrationPlan?
  var directory: String?
  var storeOptions = StoreOptions()

  init(
    _ directory: String,
    version: UInt64,
    _ objectTypes: [Object.Type],
    embedded: [EmbeddedObject.Type] = [],
    block: MigrationBlock? = nil
  ) {
    self.directory = directory
    self.schemaVersion = version
    self.objectTypes = objectTypes
    self.embeddedObjectTypes = embedded
    self.migrationBlock = block
  }

  /// Opens the store, calls `body`, compares everything in the store and closes it.
  func opened(_ body: (MigratingStore) throws -> Void) throws {
    defer { close() }
    try body(self)
    expectWhole(store())
  }

  /// Every object of a class.
  func all<Element: Object>(_ type: Element.Type) throws -> [Element] {
    try read { Array($0.objects(type)) }
  }

  /// The error that opening ends with; the store is closed.
  func failure() throws -> FiefError {
    defer { close() }
    return try #require(store().openingError)
  }

  /// Calls `body` with a directory that is removed afterwards.
  static func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "fief-migrating-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }
}

/// A generator whose seed can be given again.
struct MigrationRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
