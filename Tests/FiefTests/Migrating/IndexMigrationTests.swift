import Fief
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

private enum Version1 {
  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var title = ""
    @Persisted var author: String?
    @Persisted var year: Int32 = 0
    @Persisted var price: Int = 0
    @Persisted var code: String?
  }
}

private enum Version2 {
  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(index: [.plain, .fullText]) var title = ""
    @Persisted var author: String?
    @Persisted var year: Int32 = 0
    @Persisted var price: Int = 0
    @Persisted(index: [.unique, .caseInsensitive]) var code: String?
    @Persisted(index: .unique) var isbn: String?
    override class func indexes() -> [IndexDefinition] {
      [IndexDefinition("author", "year"), .unique("title", "author", "id"), .fullText("author", "code")]
    }
  }
}

/// The first version with one more index.
private enum Indexed {
  class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var title = ""
    @Persisted var author: String?
    @Persisted var year: Int32 = 0
    @Persisted var price: Int = 0
    @Persisted var code: String?

    override class func className() -> String { "Book" }
  }
  final class Plain: Book {
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("author")] }
  }
  final class Unique: Book {
    override class func indexes() -> [IndexDefinition] { [.unique("code")] }
  }
  final class Folded: Book {
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("author").caseInsensitive] }
  }
  final class Compound: Book {
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("author", "year")] }
  }
  final class Words: Book {
    override class func indexes() -> [IndexDefinition] { [.fullText("author", "title")] }
  }
}

/// Another key, another type for what an index has, a nil that becomes a value, a new name, other indexes.
private enum Version3 {
  final class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(index: .fullText) var name = ""
    @Persisted var author = "nobody"
    @Persisted var year: Double = 0
    @Persisted(index: .caseInsensitive) var code: String?
    override class func indexes() -> [IndexDefinition] {
      [
        IndexDefinition("author", "year"), IndexDefinition("name", "year", "code").caseInsensitive,
        .fullText("author", "code"),
      ]
    }
  }
}

private enum Version4 {
  final class Book: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(primaryKey: true) var id = 0
    @Persisted var author = "nobody"
    @Persisted var year: Double = 0
    @Persisted var code: String?
    override class func indexes() -> [IndexDefinition] {
      [.unique("author", "id"), .fullText("name", "author")]
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct IndexMigrationTests {
  private static let count = 500

  private func fill(_ directory: String, duplicates: Bool = false) throws {
    try MigratingStore(directory, version: 1, [Version1.Book.self]).opened { repository in
      try repository.write { scope in
        for id in 0..<Self.count {
          let book = Version1.Book()
          book.id = id
          book.title = "Title number \(id % 7) of \(id % 3 == 0 ? "Bücher" : "books")"
          book.author = id % 4 == 0 ? nil : "Author \(id % 11)"
          book.year = Int32(1900 + id % 50)
          book.code = id % 5 == 0 ? nil : duplicates && id % 100 == 99 ? "SAME" : "code \(id)"
          try scope.add(book)
        }
      }
    }
  }

  private func indexes(_ directory: String) throws -> [String] {
    let store = try DynamicStore(directory: directory + "/migrated")
    defer { store.close() }
    return store.types.first { $0.name == "Book" }?.indexes.map(\.description) ?? []
  }

  @Test func indexesOfEveryKindAreAddedAndDropped() throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory)
      let log = OwnedLock<[MigrationProgress]>([])
      var second = MigratingStore(directory, version: 2, [Version2.Book.self])
      second.storeOptions.eventHandler = { event in
        if case .migrating(let progress) = event { log.withLock { $0.append(progress) } }
      }
      try second.opened { repository in
        let books = try repository.all(Version2.Book.self)
        #expect(books.count == Self.count)
      }
      #expect(
        try indexes(directory) == [
          "index (title)", "full-text index (title)", "unique case-insensitive index (code)",
          "unique index (isbn)",
          "index (author, year)", "unique index (title, author, id)", "full-text index (author, code)",
        ]
      )
      let activities = log.withLock { $0.map(\.activity) }
      #expect(activities.contains("Book: reading for indexes"))
      #expect(activities.contains("Book: writing the full-text index (title)"))
      #expect(!activities.contains("Book: writing the index (title)"))
      #expect(log.withLock { $0.allSatisfy { $0.completed <= $0.total } })
      try MigratingStore(directory, version: 3, [Version1.Book.self]).opened { _ in }
      #expect(try indexes(directory) == ["index (title)"])
    }
  }

  /// Nothing but a higher version is needed, for each kind by itself, and no record is rewritten.
  @Test(
    arguments: [
      (Indexed.Plain.self, "index (author)"), (Indexed.Unique.self, "unique index (code)"),
      (Indexed.Folded.self, "case-insensitive index (author)"),
      (Indexed.Compound.self, "index (author, year)"),
      (Indexed.Words.self, "full-text index (author, title)"),
    ] as [(Object.Type, String)]
  )
  func oneIndexComesAndGoes(type: Object.Type, name: String) throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory)
      let records = try records(directory)
      try MigratingStore(directory, version: 2, [type]).opened { _ = try $0.overview() }
      #expect(try indexes(directory) == ["index (title)", name])
      #expect(try self.records(directory) == records)
      try MigratingStore(directory, version: 3, [Version1.Book.self]).opened { repository in
        let books = try repository.all(Version1.Book.self)
        #expect(books.count == Self.count)
      }
      #expect(try indexes(directory) == ["index (title)"])
      #expect(try self.records(directory) == records)
      try MigratingStore(directory, version: 4, [type]).opened { _ = try $0.overview() }
      #expect(try indexes(directory) == ["index (title)", name])
    }
  }

  /// The bytes of all records.
  private func records(_ directory: String) throws -> [[UInt8]] {
    var options = EnvironmentOptions()
    options.isReadOnly = true
    options.createsIfMissing = false
    let environment = try LMDB.Environment.open(directory: directory + "/migrated", options: options)
    defer { environment.close() }
    return try environment.read { transaction in
      let name = try #require(try transaction.databaseNames().first { $0.hasPrefix("type:") })
      let cursor = try transaction.cursor(try #require(try transaction.database(named: name)))
      var result: [[UInt8]] = []
      while try cursor.next() { result.append([UInt8](cursor.value)) }
      return result
    }
  }

  @Test func indexesFollowNamesTypesAndKeys() throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory)
      try MigratingStore(directory, version: 2, [Version2.Book.self]).opened { _ in }
      let third = MigratingStore(directory, version: 3, [Version3.Book.self]) { migration, _ in
        migration.renameProperty(onType: "Book", from: "title", to: "name")
        migration.enumerateObjects(ofType: "Book") { old, new in
          if (old?["id"] as? Int ?? 0) % 10 == 3 { new?["code"] = "changed" }
        }
      }
      try third.opened { repository in
        let books = try repository.all(Version3.Book.self)
        #expect(books.count == Self.count && books[4].author == "nobody" && books[3].code == "changed")
        #expect(books[7].year == 1907 && books[7].name == "Title number 0 of books")
      }
      try MigratingStore(directory, version: 4, [Version4.Book.self]).opened { repository in
        #expect(try repository.all(Version4.Book.self).count == Self.count)
        try repository.write {
          try $0.create(Version4.Book.self, value: ["name": "new", "id": 9999] as [String: Any])
        }
      }
      #expect(try indexes(directory) == ["unique index (author, id)", "full-text index (name, author)"])
    }
  }

  @Test func duplicatesEndTheMigrationAndAreListed() throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory, duplicates: true)
      let second = MigratingStore(directory, version: 2, [Version2.Book.self])
      let error = try second.failure()
      #expect(error.code == .duplicateValue && error.type == "Book" && error.property == "code", "\(error)")
      #expect(
        error.details.count == 4
          && error.showingValues().details.allSatisfy { $0.contains("the value: SAME") },
        "\(error)"
      )
      #expect(error.showingValues().details.first == "Book[199]: the other object: 99, the value: SAME")
      // The store is what it was, and a block can help.
      try MigratingStore(directory, version: 1, [Version1.Book.self]).opened { _ in }
      let helped = MigratingStore(directory, version: 2, [Version2.Book.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Book") { old, new in
          if old?["code"] as? String == "SAME" { new?["code"] = "\(new?["id"] ?? 0)" }
        }
      }
      try helped.opened { repository in
        let books = try repository.all(Version2.Book.self)
        #expect(books[99].code == "99")
      }
    }
  }

  @Test func manyDuplicatesAreCounted() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [Version1.Book.self]).opened { repository in
        try repository.write { scope in
          for id in 0..<100 {
            try scope.create(Version1.Book.self, value: ["id": id, "code": "x"] as [String: Any])
          }
        }
      }
      let error = try MigratingStore(directory, version: 2, [Version2.Book.self]).failure()
      #expect(error.details.count == 21 && error.details.last == "and 79 more", "\(error)")
    }
  }

  @Test func aBlockThatMakesDuplicatesIsRefused() throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory)
      try MigratingStore(directory, version: 2, [Version2.Book.self]).opened { _ in }
      let third = MigratingStore(directory, version: 3, [Version2.Book.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Book") { old, new in
          if (old?["id"] as? Int ?? 0) < 2 { new?["code"] = "both" }
        }
      }
      let error = try third.failure()
      #expect(error.code == .duplicateValue && error.property == "code", "\(error)")
    }
  }

  @Test func otherIndexesNeedAHigherVersion() throws {
    try MigratingStore.withDirectory { directory in
      try fill(directory)
      let error = try MigratingStore(directory, version: 1, [Version2.Book.self]).failure()
      #expect(error.code == .migrationRequired)
      #expect(
        error.details == [
          "Book.isbn: String? was added", "Book: full-text index (title) was added",
          "Book: unique case-insensitive index (code) was added", "Book: index (author, year) was added",
          "Book: unique index (title, author, id) was added",
          "Book: full-text index (author, code) was added",
        ]
      )
      try MigratingStore(directory, version: 2, [Version2.Book.self]).opened { _ in }
      let back = try MigratingStore(directory, version: 2, [Version1.Book.self]).failure()
      #expect(back.details.contains("Book: unique index (title, author, id) was removed"))
      // The plain index of the title is in both versions.
      #expect(!back.details.contains { $0.hasPrefix("Book.title is") || $0.contains(": index (title)") })
    }
  }

  /// More entries than are sorted in memory at once.
  @Test func indexesAreBuiltInRuns() throws {
    try MigratingStore.withDirectory { directory in
      let runs = try EntryRuns(directory: NSTemporaryDirectory())
      var random = MigrationRandom(seed: 7)
      var expected: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<TestEffort.count(3, more: 9) {
        var run: [[UInt8]] = []
        // More than the 256 KiB of a run that are read at a time.
        for _ in 0..<TestEffort.count(14_000, more: 20_000) {
          let key = (0..<Int.random(in: 1..<40, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          if expected[key] != nil { continue }
          expected[key] = [UInt8](repeating: 7, count: key.count % 5)
          run.append(key)
        }
        run.sort { $0.lexicographicallyPrecedes($1) }
        try runs.addRun { add in
          for key in run {
            try key.withUnsafeBytes { key in
              try [UInt8](repeating: 7, count: key.count % 5).withUnsafeBytes {
                try add(key, $0, key.count / 2)
              }
            }
          }
        }
      }
      try runs.addRun { _ in }
      var last: [UInt8] = []
      var count = 0
      try runs.merge { key, value, firstCount in
        let key = [UInt8](key)
        #expect(
          last.lexicographicallyPrecedes(key) && expected[key] == [UInt8](value)
            && firstCount == key.count / 2
        )
        last = key
        count += 1
      }
      #expect(count == expected.count)
    }
  }
}
