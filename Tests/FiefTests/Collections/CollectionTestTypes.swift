import Fief
import Foundation
import LMDB
import Testing

final class ShelfItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(originProperty: "items") var shelves: LinkingObjects<Shelf>
}

final class ShelfPart: EmbeddedObject {
  @Persisted var text = ""
}

final class Shelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var items: List<ShelfItem>
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var parts: List<ShelfPart>
  @Persisted var chosen: MutableSet<ShelfItem>
  @Persisted var words: MutableSet<String>
  @Persisted var named: Map<String, ShelfItem?>
  @Persisted var values: Map<String, Int>
}

/// An object that counts how often one is made.
final class CountedItem: Object {
  static let made = OwnedLock(0)

  @Persisted(primaryKey: true) var id = 0

  required init() {
    super.init()
    Self.made.withLock { $0 += 1 }
  }

  static func expect(atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void)
  {
    let made = count(body)
    #expect(made <= limit, sourceLocation: sourceLocation)
  }

  static func count(_ body: () throws -> Void) rethrows -> Int {
    let before = made.withLock { $0 }
    try body()
    return made.withLock { $0 } - before
  }
}

final class CountingShelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var items: List<CountedItem>
  @Persisted var chosen: MutableSet<CountedItem>
  @Persisted var named: Map<String, CountedItem?>
}

/// A store of shelves, on disk or in memory.
struct ShelfStore: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var schemaName: String?
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [ShelfPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String?
  var storeOptions = StoreOptions()

  static func with(
    _ place: TypedPlace,
    _ types: [Object.Type] = [Shelf.self, ShelfItem.self],
    _ body: (ShelfStore) throws -> Void
  ) throws {
    let directory = NSTemporaryDirectory() + "fief-shelves-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var store = ShelfStore(realmMemoryType: .inStorage, schemaName: "shelves", objectTypes: types)
    store.directory = directory
    store.storeOptions = place.storeOptions
    if place != .disk { store.realmMemoryType = .inMemory(identifier: directory) }
    try body(store)
    store.closeChecked()
  }

  /// Closes the store and opens it again, where it is on disk.
  func reopen() {
    if case .inStorage = realmMemoryType { closeChecked() } else { expectWhole(store()) }
  }

  func shelf(_ id: Int) throws -> Shelf {
    try #require(store().object(ofType: Shelf.self, forPrimaryKey: id))
  }
}
