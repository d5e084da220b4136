import Fief
import Foundation
import LMDB
import Testing

private enum One {
  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var next: Book?
  }
}

private enum Two {
  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var next: Book?
    @Persisted var pages = 0
  }
  final class Page: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
  }
  final class Volume: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var next: Volume?
  }
}

private struct StepFailure: Error {}

private enum FailingFrozen: MigrationStep {
  static let version: UInt64 = 2
  static let name = "frozen"
  static let description = "Throws after its classes were frozen."
  static var objectTypes: [Object.Type]? { [Book.self] }

  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var onlyHere = ""
  }

  static func migrate(_ migration: Migration) throws { throw StepFailure() }
}

private enum Following: MigrationStep {
  static let version: UInt64 = 3
  static let name = "following"
  static let description = "Does nothing."
}

/// Fifty indexes in each of its subclasses.
private enum Many {
  class Columns: Object {
    @Persisted(indexed: true) var column0 = 0
    @Persisted(indexed: true) var column1 = 0
    @Persisted(indexed: true) var column2 = 0
    @Persisted(indexed: true) var column3 = 0
    @Persisted(indexed: true) var column4 = 0
    @Persisted(indexed: true) var column5 = 0
    @Persisted(indexed: true) var column6 = 0
    @Persisted(indexed: true) var column7 = 0
    @Persisted(indexed: true) var column8 = 0
    @Persisted(indexed: true) var column9 = 0
    @Persisted(indexed: true) var column10 = 0
    @Persisted(indexed: true) var column11 = 0
    @Persisted(indexed: true) var column12 = 0
    @Persisted(indexed: true) var column13 = 0
    @Persisted(indexed: true) var column14 = 0
    @Persisted(indexed: true) var column15 = 0
    @Persisted(indexed: true) var column16 = 0
    @Persisted(indexed: true) var column17 = 0
    @Persisted(indexed: true) var column18 = 0
    @Persisted(indexed: true) var column19 = 0
    @Persisted(indexed: true) var column20 = 0
    @Persisted(indexed: true) var column21 = 0
    @Persisted(indexed: true) var column22 = 0
    @Persisted(indexed: true) var column23 = 0
    @Persisted(indexed: true) var column24 = 0
    @Persisted(indexed: true) var column25 = 0
    @Persisted(indexed: true) var column26 = 0
    @Persisted(indexed: true) var column27 = 0
    @Persisted(indexed: true) var column28 = 0
    @Persisted(indexed: true) var column29 = 0
    @Persisted(indexed: true) var column30 = 0
    @Persisted(indexed: true) var column31 = 0
    @Persisted(indexed: true) var column32 = 0
    @Persisted(indexed: true) var column33 = 0
    @Persisted(indexed: true) var column34 = 0
    @Persisted(indexed: true) var column35 = 0
    @Persisted(indexed: true) var column36 = 0
    @Persisted(indexed: true) var column37 = 0
    @Persisted(indexed: true) var column38 = 0
    @Persisted(indexed: true) var column39 = 0
    @Persisted(indexed: true) var column40 = 0
    @Persisted(indexed: true) var column41 = 0
    @Persisted(indexed: true) var column42 = 0
    @Persisted(indexed: true) var column43 = 0
    @Persisted(indexed: true) var column44 = 0
    @Persisted(indexed: true) var column45 = 0
    @Persisted(indexed: true) var column46 = 0
    @Persisted(indexed: true) var column47 = 0
    @Persisted(indexed: true) var column48 = 0
    @Persisted(indexed: true) var column49 = 0
  }
  final class First: Columns {}
  final class Second: Columns {}
  final class Third: Columns {}
  final class Fourth: Columns {}
  final class Fifth: Columns {}
  final class Sixth: Columns {}
  static let types: [Object.Type] = [
    First.self, Second.self, Third.self, Fourth.self, Fifth.self, Sixth.self,
  ]
}

private enum Odd {
  final class Named: Object {
    @Persisted var title = ""
    override class func propertiesMapping() -> [String: String] { ["title": "\u{0}title"] }
  }
}

@Suite("Misuse of migrations")
struct MigrationMisuseTests {
  private func withBooks(_ count: Int = 5, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, [One.Book.self]).opened { (store: MigratingStore) throws in
        let books = (0..<count).map { id in
          let book = One.Book()
          book.id = id
          book.title = "book \(id)"
          return book
        }
        for (book, next) in zip(books, books.dropFirst()) { book.next = next }
        try store.store().write { try $0.add(books, update: .all) }
      }
      try body(directory)
    }
  }

  private func two(_ directory: String, block: @escaping MigrationBlock) -> MigratingStore {
    MigratingStore(directory, version: 3, [Two.Book.self, Two.Page.self], block: block)
  }

  @Test("a step whose error the block catches ends the migration all the same")
  func swallowedStep() throws {
    try withBooks { (directory: String) throws in
      let store = two(directory) { (migration: Migration, _: UInt64) throws in
        try? migration.run(MigrationPlan([FailingFrozen.self, Following.self]))
      }
      let error = try store.failure()
      #expect(error.code == .migrationFailed && error.underlying is StepFailure, "\(error)")
      #expect(error.details == ["step 2: frozen"])
      try MigratingStore(directory, version: 1, [One.Book.self]).opened { (store: MigratingStore) throws in
        #expect(try store.count(One.Book.self) == 5)
      }
    }
  }

  @Test("a loop over a new type ends, and leaves out what is created meanwhile")
  func creatingInALoop() throws {
    try withBooks { (directory: String) throws in
      let visited = OwnedLock(0)
      let store = two(directory) { (migration: Migration, _: UInt64) throws in
        visited.withLock { $0 = 0 }
        for id in 0..<300 { migration.create("Page", value: ["id": id * 1000]) }
        migration.enumerateObjects(ofType: "Page") { old, new in
          guard old == nil, let id = new?["id"] as? Int else { return }
          visited.withLock { $0 += 1 }
          migration.create("Page", value: ["id": id + 1])
          if id == 0 { migration.enumerateObjects(ofType: "Page") { _, inner in inner?["text"] = "seen" } }
        }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(Two.Page.self) == 600)
        #expect(visited.withLock { $0 } == 300)
        #expect(try store.all(Two.Page.self).filter { $0.text == "seen" }.count == 301)
      }
    }
  }

  @Test("an old object of a type with another name is deleted")
  func deletingRenamed() throws {
    try withBooks { (directory: String) throws in
      let store = MigratingStore(directory, version: 2, [Two.Volume.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.renameType(from: "Book", to: "Volume")
        migration.enumerateObjects(ofType: "Volume") { old, _ in
          if let old, old["id"] as? Int == 2 { migration.delete(old) }
        }
      }
      try store.opened { (store: MigratingStore) throws in
        let volumes = try store.all(Two.Volume.self)
        #expect(volumes.map(\.id) == [0, 1, 3, 4] && volumes.map { $0.next?.id } == [1, nil, 4, nil])
      }
    }
  }

  @Test("objects that outlive the migration have no values, and do not trap")
  func escaped() throws {
    try withBooks { (directory: String) throws in
      // Migrations and their objects belong to one thread, which is this one.
      nonisolated(unsafe) var objects: [MigrationObject] = []
      nonisolated(unsafe) var kept: Migration?
      let store = two(directory) { (migration: Migration, _: UInt64) throws in
        kept = migration
        migration.enumerateObjects(ofType: "Book") { old, new in objects += [old, new].compactMap { $0 } }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(Two.Book.self) == 5)
        for object in objects {
          _ = object["title"]
          _ = object["next"]
          object["title"] = "late"
          _ = object.propertyNames
        }
        let migration = try #require(kept)
        #expect(migration.count(ofType: "Book") == 0)
        migration.create("Page", value: ["id": 1])
        migration.deleteData(forType: "Book")
        migration.renameType(from: "Book", to: "Page")
        migration.enumerateObjects(ofType: "Book") { _, _ in Issue.record("There is nothing to go through.") }
        #expect(throws: (any Error).self) { try migration.object(ofType: "Book", forPrimaryKey: 1) }
        #expect(throws: (any Error).self) { try migration.run(MigrationPlan([Following.self])) }
        #expect(try store.all(Two.Book.self).map(\.title) == (0..<5).map { "book \($0)" })
        #expect(try store.count(Two.Page.self) == 0)
      }
    }
  }

  @Test("the store itself cannot be opened in its migration")
  func ownStore() throws {
    try withBooks { (directory: String) throws in
      let store = two(directory) { (migration: Migration, _: UInt64) throws in
        let own = MigratingStore(directory, version: 1, [One.Book.self])
        #expect(own.store().openingError?.code == .nestedWrite)
        #expect(migration.count(ofType: "Book") == 5)
      }
      try store.opened { (store: MigratingStore) throws in #expect(try store.count(Two.Book.self) == 5) }
    }
  }

  @Test("a store with more trees than the new classes would need is migrated")
  func manyTrees() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, Many.types).opened { (store: MigratingStore) throws in
        try store.store().write { try $0.add(Many.Sixth()) }
      }
      try MigratingStore(directory, version: 2, [Two.Page.self]).opened { (store: MigratingStore) throws in
        #expect(try store.count(Two.Page.self) == 0)
      }
    }
  }

  @Test("a column's name has no zero byte: such names are those of a migration's own columns")
  func zeroInName() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      let error = try MigratingStore(directory, version: 1, [Odd.Named.self]).failure()
      #expect(error.code == .invalidSchema)
    }
  }

  @Test("the highest version of all is one like any other")
  func highestVersion() throws {
    try withBooks { (directory: String) throws in
      var store = MigratingStore(directory, version: .max, [Two.Book.self])
      let error = try {
        store.migrationPlan = MigrationPlan([]); return try store.failure()
      }()
      #expect(error.code == .invalidMigrationPlan)
      store.migrationPlan = nil
      try store.opened { (store: MigratingStore) throws in #expect(try store.count(Two.Book.self) == 5) }
      #expect(try MigratingStore(directory, version: 0, [Two.Book.self]).failure().code == .versionTooLow)
    }
  }
}
