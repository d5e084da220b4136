import Fief
import FiefConsole
import Foundation
import TestEffort
import Testing

/// Export and import of a type with every kind of index.
@Suite("Export and import with indexes", .timeLimit(.minutes(20))) struct IndexRoundTripTests {
  private enum Model {
    final class Member: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var age = 0
      @Persisted(index: .unique) var email: String?
      @Persisted(index: .caseInsensitive) var name = ""
      @Persisted(index: [.unique, .caseInsensitive]) var nick: String?
      @Persisted(index: [.plain, .fullText]) var about = ""
      @Persisted var team: String?
      @Persisted var number = 0

      override class func indexes() -> [IndexDefinition] {
        [IndexDefinition("age", "name"), .unique("team", "number"), .fullText("name", "about")]
      }
    }
  }

  private struct Repository: DatabaseConfigurable {
    let directory: String?
    let schemaName: String?
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Model.Member.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  /// The number of members: more than a batch of an import has.
  private static let count = TestEffort.count(1_110, more: 1_600)

  private static func text(_ count: Int) -> String {
    "\(count / 1000),\(String(format: "%03d", count % 1000))"
  }

  /// A filled store and an empty one, closed.
  private func stores(in directory: String) throws -> (full: String, empty: String) {
    let full = Repository(directory: directory, schemaName: "full")
    try full.write { transaction in
      for id in 1...Self.count {
        let member = Model.Member()
        member.id = id
        member.age = id % 80
        member.email = id % 10 == 0 ? nil : "m\(id)@example.com"
        member.name = "Name \(id % 100)"
        member.nick = id % 3 == 0 ? nil : "Nick\(id)"
        member.about = "likes apple trees and 東京 no \(id)"
        member.team = id % 4 == 0 ? nil : "team \(id % 7)"
        member.number = id
        try transaction.add(member)
      }
    }
    full.close()
    let empty = Repository(directory: directory, schemaName: "empty")
    _ = try empty.check()
    empty.close()
    return (directory + "/full", directory + "/empty")
  }

  private func expectWhole(_ path: String, count: Int) throws {
    let store = try DynamicStore(directory: path)
    defer { store.close() }
    let check = try store.check()
    #expect(check.problems == [])
    #expect(check.records == count)
  }

  @Test("Every kind of index is filled by an import", arguments: ["jsonl", "csv"])
  func roundTrip(format: String) throws {
    try ToolStores.withDirectory { directory in
      let (full, empty) = try stores(in: directory)
      let file = "\(directory)/members.\(format)"
      #expect(ToolRun("export", full, "Member", "-o", file).status == .done)
      let run = ToolRun("import", empty, "Member", "--input", file)
      #expect(run.status == .done, "\(run.errors)")
      #expect(
        run.output == "Imported \(Self.text(Self.count)) objects (\(Self.text(Self.count)) inserted).\n"
      )
      try expectWhole(empty, count: Self.count)
      #expect(ToolRun("export", empty).output == ToolRun("export", full).output)
      let again = ToolRun("import", empty, "Member", "--input", file, "--on-conflict", "replace")
      let replaced = "Imported \(Self.text(Self.count)) objects (\(Self.text(Self.count)) replaced).\n"
      #expect(again.output == replaced, "\(again.errors)")
      try expectWhole(empty, count: Self.count)
    }
  }

  @Test("A value that is not unique is a wrong line, and the others are imported", arguments: [false, true])
  func violations(isDry: Bool) throws {
    try ToolStores.withDirectory { directory in
      let (full, empty) = try stores(in: directory)
      var lines = ToolRun("export", full).lines
      // Duplicates in one batch, in two of them, of several properties and without regard to case.
      lines[20] = #"{"$type":"Member","id":21,"email":"m5@example.com"}"#
      let (middle, late) = (Self.count - 1_000, Self.count - 100)
      lines[middle] = #"{"$type":"Member","id":\#(middle + 1),"nick":"NICK\#(middle - 1)"}"#
      lines[late] = #"{"$type":"Member","id":\#(late + 1),"team":"team 1","number":1}"#
      lines[late + 1] = #"{"$type":"Member","id":\#(late + 2),"email":"m2@example.com"}"#
      let input = lines.joined(separator: "\n")
      let run = ToolRun(["import", empty] + (isDry ? ["--dry-run"] : []), input: input)
      #expect(run.status == .failed)
      let right = Self.text(Self.count - 4)
      #expect(
        run.output
          == (isDry
            ? "Would import \(right) objects (\(right) inserted); 4 wrong lines were left out.\nNothing was changed.\n"
            : "Imported \(right) objects (\(right) inserted); 4 wrong lines were left out.\n")
      )
      let message = "Another object has the same value, but the index is unique."
      #expect(
        run.errors == """
          line 21: Member.email of 21: \(message) (the other object: 5; the value: m5@example.com)
          line \(middle + 1): Member.nick of \(middle + 1): \(message) (the other object: \(middle - 1); \
          the value: NICK\(middle - 1))
          line \(late + 1): Member.team, number of \(late + 1): \(message) (the other object: 1; \
          the value: team 1, 1)
          line \(late + 2): Member.email of \(late + 2): \(message) (the other object: 2; \
          the value: m2@example.com)

          """
      )
      try expectWhole(empty, count: isDry ? 0 : Self.count - 4)
    }
  }

  @Test("Two lines may exchange values")
  func exchange() throws {
    try ToolStores.withDirectory { directory in
      let full = try stores(in: directory).full
      let input = """
        {"id":1,"email":"m2@example.com"}
        {"id":2,"email":"m1@example.com"}
        """
      let run = ToolRun(["import", full, "Member", "--on-conflict", "merge"], input: input)
      #expect(run.output == "Imported 2 objects (2 merged).\n", "\(run.errors)")
      #expect(ToolRun("get", full, "Member", "1", "--json").output.contains(#""email":"m2@example.com""#))
      try expectWhole(full, count: Self.count)
    }
  }
}
