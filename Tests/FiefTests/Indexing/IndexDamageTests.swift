import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The checker finds whatever is wrong in an index of any kind.
@Suite(.timeLimit(.minutes(20))) struct IndexDamageTests {
  private struct Undone: Error {}

  /// A store with every kind of index, closed, and what is in its catalogue.
  private struct Fixture {
    let environment: LMDB.Environment
    let catalogue: Catalogue
    private let directory: TemporaryDirectory

    init(_ members: [IndexedMember]) throws {
      directory = try TemporaryDirectory()
      let repository = IndexedRepository(realmMemoryType: .inStorage, directory: directory.path)
      try repository.saveNow(members)
      repository.closeChecked()
      var options = EnvironmentOptions()
      options.maxDatabases = 256
      environment = try LMDB.Environment.open(directory: directory["members"], options: options)
      catalogue = try #require(try StoreOpening.storedCatalogue(in: environment))
    }

    /// The checker's problems after a change, which is rolled back.
    func problems(
      _ catalogue: Catalogue? = nil,
      after change: (LMDB.WritableTransaction, Table) throws -> Void
    ) throws -> [String] {
      let catalogue = catalogue ?? self.catalogue
      let tables = try StoreOpening.openTrees(of: catalogue, store: "members", in: environment)
      let table = try #require(tables["IndexedMember"])
      var problems: [String] = []
      do {
        try environment.write { transaction in
          try change(transaction, table)
          problems = try StoreChecker(tables: tables, transaction: transaction).run().problems
          throw Undone()
        }
      } catch is Undone {}
      return problems
    }

    func index(_ name: String, _ table: Table) throws -> Table.Index {
      try #require(table.indexes.first { $0.entry.name(in: table.entry).description == name })
    }
  }

  private static let names = [
    "unique index (email)", "unique case-insensitive index (nick)", "index (age)",
    "case-insensitive index (name)", "index (about)", "full-text index (about)", "unique index (factor)",
    "full-text index (note)", "index (country, city, age)", "unique index (team, number)",
    "full-text index (title, body)", "case-insensitive index (city)",
    "case-insensitive index (country, name)",
  ]
  private static let fullText = names.filter { $0.contains("full-text") }

  private static func columns(_ name: String) -> String {
    String(name.drop { $0 != "(" }.dropFirst().dropLast())
  }

  private func fixture() throws -> Fixture {
    try Fixture(
      (1...4).map { id in
        IndexedMember(id) {
          $0.email = "e\(id)"
          $0.nick = "Nick \(id)"
          $0.age = id
          $0.name = "Name \(id)"
          $0.about = "one two two \(id)"
          $0.team = "T"
          $0.number = id
          $0.country = "AT"
          $0.city = "Wien"
          $0.title = "title \(id)"
          $0.body = "body"
          $0.factor = Double(id)
          $0.note = "note note note \(id)"
        }
      }
    )
  }

  /// Puts the cursor at the first entry that is one of an object.
  private func firstEntry(_ index: Table.Index, _ transaction: LMDB.WritableTransaction) throws -> Cursor {
    let cursor = try transaction.cursor(index.database)
    try #require(try cursor.first())
    if index.entry.kind == .fullText { try #require(try cursor.next()) }
    return cursor
  }

  @Test func everyKindIsThere() throws {
    let fixture = try fixture()
    let type = try #require(fixture.catalogue.types.first { $0.name == "IndexedMember" })
    #expect(Set(type.indexes.map { $0.name(in: type).description }) == Set(Self.names))
    #expect(try fixture.problems { _, _ in } == [])
  }

  @Test(arguments: names) func anEntryThatIsMissing(name: String) throws {
    let fixture = try fixture()
    let problems = try fixture.problems { transaction, table in
      try firstEntry(try fixture.index(name, table), transaction).delete()
    }
    let columns = Self.columns(name)
    let isFullText = name.contains("full-text")
    try #require(problems.count == 2, "\(problems)")
    #expect(
      problems[0].hasSuffix(
        isFullText
          ? ": the full-text index of \(columns) lacks 1 of the object's words"
          : ": the index of \(columns) has no entry for the object"
      ),
      "\(problems)"
    )
    #expect(problems[0].hasPrefix("IndexedMember["))
    #expect(problems[1].hasPrefix("IndexedMember: the index of \(columns) has "), "\(problems)")
  }

  @Test(arguments: names) func anEntryThatIsTooMany(name: String) throws {
    let fixture = try fixture()
    let problems = try fixture.problems { transaction, table in
      let index = try fixture.index(name, table)
      // The entries of a text that no object has, and of an object that does not exist.
      let key: [UInt8] = [0x02, 0x7E, 0x7E, 0x00, 0x15, 0x63]
      let value: [UInt8] = index.entry.kind == .fullText ? [1, 1] : []
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes { try transaction.put(index.database, key, $0) }
      }
    }
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.first?.hasPrefix("IndexedMember: the index of \(Self.columns(name)) has ") == true,
      "\(problems)"
    )
  }

  /// The two counts of an entry, how often and of how many.
  @Test(arguments: fullText, [0, 1]) func aCountOfAWordThatIsWrong(name: String, count: Int) throws {
    let fixture = try fixture()
    let problems = try fixture.problems { transaction, table in
      let cursor = try firstEntry(try fixture.index(name, table), transaction)
      var value = [UInt8](cursor.value)
      try #require(value.count == 2)
      value[count] += 1
      try value.withUnsafeBytes { try cursor.put($0) }
    }
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.first?.hasSuffix(
        "]: the full-text index of \(Self.columns(name)) lacks 1 of the object's words"
      )
        == true,
      "\(problems)"
    )
  }

  @Test(arguments: fullText, [0, 8]) func sumsThatAreWrong(name: String, place: Int) throws {
    let fixture = try fixture()
    let problems = try fixture.problems { transaction, table in
      let cursor = try transaction.cursor(try fixture.index(name, table).database)
      try #require(try cursor.first())
      var value = [UInt8](cursor.value)
      try #require(value.count == 16)
      value[place] += 1
      try value.withUnsafeBytes { try cursor.put($0) }
    }
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.first?.hasPrefix("IndexedMember: the full-text index of \(Self.columns(name)) states ")
        == true,
      "\(problems)"
    )
  }

  @Test(arguments: fullText) func sumsThatAreMissing(name: String) throws {
    let fixture = try fixture()
    let problems = try fixture.problems { transaction, table in
      let cursor = try transaction.cursor(try fixture.index(name, table).database)
      try #require(try cursor.first())
      try cursor.delete()
    }
    #expect(
      problems.first?.contains(" states 0 texts with 0 words, but the records have 4 with ") == true
        && problems.count == 2,
      "\(problems)"
    )
  }

  /// Two objects with the same values under a catalogue with a unique index: short values, and values that
  /// are cut in the index; and other ones that begin in the same way.
  @Test func valuesThatAreNotUnique() throws {
    let long = String(repeating: "x", count: 600)
    let fixture = try Fixture(
      [("same", 1), (long + "1", 2), ("same", 3), (long + "2", 4), (long + "1", 5), ("other", 6)]
        .map { name, id in IndexedMember(id) { $0.name = name } }
    )
    var catalogue = fixture.catalogue
    let type = try #require(catalogue.types.firstIndex { $0.name == "IndexedMember" })
    let index = try #require(
      catalogue.types[type].indexes.firstIndex {
        $0.name(in: catalogue.types[type]).description == "case-insensitive index (name)"
      }
    )
    catalogue.types[type].indexes[index].isUnique = true
    let problems = try fixture.problems(catalogue) { _, _ in }
    #expect(
      problems == [
        "IndexedMember[1]: the unique index of name contains the object's values twice",
        "IndexedMember[2]: the unique index of name contains the object's values twice",
      ]
    )
  }
}
