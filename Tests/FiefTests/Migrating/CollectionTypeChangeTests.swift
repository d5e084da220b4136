import Fief
import Foundation
import Testing

private enum Before {
  final class Row: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var list: List<Int32>
    @Persisted var set: MutableSet<Int>
    @Persisted var map: Map<String, Float>
    @Persisted var required: List<String>
    @Persisted var optional: List<Int?>
  }
}

private enum After {
  final class Row: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var list: List<Int>
    @Persisted var set: MutableSet<Int16>
    @Persisted var map: Map<String, Double>
    @Persisted var required: List<String?>
    @Persisted var optional: List<Int>
  }
}

@Suite("Lists, sets and maps whose elements get another type")
struct CollectionTypeChangeTests {
  private func migrated(_ optional: [Int?], _ body: (MigratingStore) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, [Before.Row.self]).opened { (store: MigratingStore) throws in
        let row = Before.Row()
        row.list.append(objectsIn: [3, -1, 3])
        row.set.insert(objectsIn: [300, -2, 5])
        row.map["a"] = 0.5
        row.required.append(objectsIn: ["x", ""])
        row.optional.append(objectsIn: optional)
        try store.store().write { try $0.add(row) }
      }
      try body(MigratingStore(directory, version: 2, [After.Row.self]))
    }
  }

  @Test("keep their elements")
  func converted() throws {
    try migrated([1, 2]) { (after: MigratingStore) throws in
      try after.opened { (store: MigratingStore) throws in
        let row = try #require(store.object(ofType: After.Row.self, forPrimaryKey: 0))
        #expect(Array(row.list) == [3, -1, 3] && row.set.sorted() == [-2, 5, 300])
        #expect(row.map["a"] == 0.5 && Array(row.required) == ["x", ""] && Array(row.optional) == [1, 2])
      }
    }
  }

  @Test("end the migration where an element does not fit")
  func doesNotFit() throws {
    try migrated([1, nil]) { (after: MigratingStore) throws in
      let error = try after.failure()
      #expect(error.code == .missingValue && error.property == "optional" && error.type == "Row")
    }
  }

  @Test("a set has each element once, also of those that a block assigns")
  func distinct() throws {
    try migrated([]) { (after: MigratingStore) throws in
      var store = after
      store.migrationBlock = { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Row") { _, new in new?["set"] = [9, 1, 9, 1, -4] }
      }
      try store.opened { (store: MigratingStore) throws in
        let row = try #require(store.object(ofType: After.Row.self, forPrimaryKey: 0))
        #expect(row.set.count == 3 && row.set.sorted() == [-4, 1, 9])
        try store.store().write { transaction in
          let row = try #require(try transaction.object(ofType: After.Row.self, forPrimaryKey: 0))
          row.set.remove(9)
        }
        #expect(store.object(ofType: After.Row.self, forPrimaryKey: 0)?.set.sorted() == [-4, 1])
      }
    }
  }
}
