import Fief
import Foundation
import Testing

@testable import FiefCore

final class UnreadShelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var numbers: List<Int>
  @Persisted var items: List<UnreadItem>
  @Persisted var words: MutableSet<String>
  @Persisted var chosen: MutableSet<UnreadItem>
  @Persisted var values: Map<String, Int>
  @Persisted var named: Map<String, UnreadItem?>
}

final class UnreadItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

/// A store with two readers and large collections.
struct UnreadStore: DatabaseConfigurable {
  /// Enough that each collection outgrows the record of its shelf.
  static let count = 1_200

  var realmMemoryType: RealmMemoryType
  var schemaName: String? = "unread"
  var directory: String?
  var storeOptions = StoreOptions()
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [UnreadShelf.self, UnreadItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }

  static func with(
    _ place: TypedPlace,
    options: StoreOptions = StoreOptions(),
    _ body: (UnreadStore) throws -> Void
  ) throws {
    let directory = NSTemporaryDirectory() + "fief-unread-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var store = UnreadStore(realmMemoryType: .inStorage, directory: directory, storeOptions: options)
    store.storeOptions.eventHandler = { _ in }
    if place == .memory { store.realmMemoryType = .inMemory(identifier: directory) }
    try body(store)
    store.closeChecked()
  }

  func fill() throws {
    try write { transaction in
      let items = (0..<Self.count).map { UnreadItem(value: ["id": $0]) }
      let shelf = UnreadShelf(value: ["id": 1, "title": "first"])
      shelf.numbers.append(objectsIn: 0..<Self.count)
      shelf.items.append(objectsIn: items)
      shelf.words.insert(objectsIn: items.map { "word \($0.id)" })
      shelf.chosen.insert(objectsIn: items)
      for item in items {
        shelf.values["\(item.id)"] = item.id
        shelf.named["\(item.id)"] = item
      }
      try transaction.add(shelf, update: .all)
    }
  }

  /// Saves an object as a repository does whose caller waits.
  func save(_ object: Object, _ policy: UpdatePolicy = .all) throws {
    try Saving.save([object], SaveOptions(policy, seeing: nil), in: try store().core())
  }

  func shelf() throws -> UnreadShelf? {
    try read { try $0.object(ofType: UnreadShelf.self, forPrimaryKey: 1) }
  }

  /// The title, and the number of elements of each collection.
  func stored() throws -> [String] {
    try read { snapshot in
      guard let shelf = try snapshot.object(ofType: UnreadShelf.self, forPrimaryKey: 1) else { return [] }
      return [shelf.title] + shelf.counts.map { String($0) }
    }
  }

  /// Calls a closure while no reader is free.
  func withoutReaders<Value>(_ body: () throws -> Value) throws -> Value {
    func hold(_ rest: Int) throws -> Value {
      if rest == 0 { return try body() }
      return try read { _ in try hold(rest - 1) }
    }
    return try hold(storeOptions.maximumReaders)
  }
}

extension UnreadShelf {
  var counts: [Int] {
    [numbers.count, items.count, words.count, chosen.count, values.count, named.count]
  }
}
