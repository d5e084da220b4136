import Fief
import FiefConsole
import Foundation
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

  /// A filled store and an empty one, closed.
  private func stores(in directory: String) throws -> (full: String, empty: String) {
    let full = Repository(directory: directory, schemaName: "full")
    try full.write { transaction in
      for id in 1...2500 {
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
      #expect(run.output == "Imported 2,500 objects (2,500 inserted).\n")
      try expectWhole(empty, count: 2500)
      #expect(ToolRun("export", empty).output == ToolRun("export", full).output)
      let again = ToolRun("import", empty, "Member", "--input", file, "--on-conflict", "replace")
      #expect(again.output == "Imported 2,500 objects (2,500 replaced).\n", "\(again.errors)")
      try expectWhole(empty, count: 2500)
    }
  }

  @Test("A value that is not unique is a wrong line, and the others are imported", arguments: [false, true])
  func violations(isDry: Bool) throws {
    try ToolStores.withDirectory { directory in
      let (full, empty) = try stores(in: directory)
      var lines = ToolRun("export", full).lines
      // Duplicates in one batch, in two of them, of several properties and without regard to case.
      lines[20] = #"{"$type":"Member","id":21,"email":"m5@example.com"}"#
      lines[1500] = #"{"$type":"Member","id":1501,"nick":"NICK1499"}"#
      lines[2400] = #"{"$type":"Member","id":2401,"team":"team 1","number":1}"#
      lines[2401] = #"{"$type":"Member","id":2402,"email":"m2@example.com"}"#
      let input = lines.joined(separator: "\n")
      let run = ToolRun(["import", empty] + (isDry ? ["--dry-run"] : []), input: input)
      #expect(run.status == .failed)
      #expect(
        run.output
          == (isDry
            ? "Would import 2,496 objects (2,496 inserted); 4 wrong lines were left out.\nNothing was changed.\n"
            : "Imported 2,496 objects (2,496 inserted); 4 wrong lines were left out.\n")
      )
      let message = "Another object has the same value, and the index is unique."
      #expect(
        run.errors == """
          line 21: Member.email of 21: \(message) (the other object: 5; the value: m5@example.com)
          line 1501: Member.nick of 1501: \(message) (the other object: 1499; the value: NICK1499)
          line 2401: Member.team, number of 2401: \(message) (the other object: 1; the value: team 1, 1)
          line 2402: Member.email of 2402: \(message) (the other object: 2; the value: m2@example.com)

          """
      )
      try expectWhole(empty, count: isDry ? 0 : 2496)
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
      try expectWhole(full, count: 2500)
    }
  }
}
