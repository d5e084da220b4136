import Fief
import Foundation
import Testing

/// Columns of many kinds, each without and with an index.
final class CornerItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var rating: Double?
  @Persisted(indexed: true) var ratingIndexed: Double?
  @Persisted var day: Date?
  @Persisted(indexed: true) var dayIndexed: Date?
  @Persisted var price: Decimal?
  @Persisted(indexed: true) var priceIndexed: Decimal?
  @Persisted var small: Float = 0
  @Persisted(indexed: true) var smallIndexed: Float = 0
  @Persisted var name = ""
  @Persisted(index: .caseInsensitive) var nameIndexed = ""
  @Persisted var number = 0
  @Persisted(indexed: true) var numberIndexed = 0
  @Persisted var tiny: Int8 = 0
  @Persisted var floats: List<Float>
  @Persisted var map: Map<String, Int>
  @Persisted(index: .fullText) var body = ""

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

struct CornerRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String?
  var storeOptions = StoreOptions()
  var schemaName: String? { "corners" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [CornerItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  var items: Results<CornerItem> { store().objects(CornerItem.self) }

  /// Calls a closure with a store in memory, a store on disk and an encrypted store, and then checks each store.
  ///
  /// - Parameter count: the number of objects in each store.
  static func forAll(
    _ count: Int,
    _ change: (CornerItem) -> Void,
    _ body: (CornerRepository) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    for repository in [
      CornerRepository(), CornerRepository(realmMemoryType: .inStorage, directory: directory.path),
      CornerRepository(storeOptions: TypedPlace.encrypted.storeOptions),
    ] {
      try repository.store().write { transaction in
        for id in 0..<count {
          let item = CornerItem(id)
          change(item)
          try transaction.add(item)
        }
      }
      try body(repository)
      repository.closeChecked()
    }
  }
}

extension Results {
  /// Every object, page by page from the first one on.
  func inPages(of size: Int) throws -> [Element] {
    var found: [Element] = []
    var cursor: QueryCursor?
    repeat {
      let page = try page(size, after: cursor)
      found += page.objects
      cursor = page.hasMore ? page.end : nil
    } while cursor != nil
    return found
  }

  /// Every object, page by page from the last one on.
  func inPagesFromTheEnd(of size: Int) throws -> [Element] {
    var found: [Element] = []
    var cursor: QueryCursor?
    repeat {
      let page = try page(size, before: cursor)
      found = page.objects + found
      cursor = page.hasMore ? page.start : nil
    } while cursor != nil
    return found
  }
}
