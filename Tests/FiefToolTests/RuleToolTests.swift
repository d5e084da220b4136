import Fief
import FiefConsole
import Foundation
import Testing

/// The tool obeys the rules of relationships, which it has from the catalogue only.
@Suite("Rules of relationships in the tool") struct RuleToolTests {
  private enum Model {
    final class Crew: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var captain: Sailor?
      @Persisted var sailors: List<Sailor>
      @Persisted(originProperty: "crew") var boats: LinkingObjects<Boat>

      override class func relationships() -> [Relationship] {
        [
          Relationship("captain", isRequired: true),
          Relationship("sailors", deleteRule: .cascade, isRequired: true, minimum: 1, maximum: 2),
          Relationship("boats", deleteRule: .deny),
        ]
      }
    }
    final class Sailor: Object {
      @Persisted(primaryKey: true) var name = ""
    }
    final class Boat: Object {
      @Persisted(primaryKey: true) var name = ""
      @Persisted var crew: Crew?
    }
  }

  private struct Repository: DatabaseConfigurable {
    let directory: String?
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "crews" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Model.Crew.self, Model.Sailor.self, Model.Boat.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test func everythingObeys() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let repository = Repository(directory: directory)
    if let error = repository.store().openingError { throw error }
    repository.close()
    let store = directory + "/crews"
    let schema = ToolRun("schema", store).output
    #expect(schema.contains("nullify, required") && schema.contains("cascade, 1 to 2"))
    #expect(schema.contains("inverse of Boat.crew, deny"))
    let document = try ToolRun("schema", store, "--json").json()
    #expect("\(document)".contains("deleteRule"))

    // The crew comes before its sailors.
    let lines = [
      #"{"$type": "Crew", "id": 1, "captain": "Ann", "sailors": ["Ann", "Ben"]}"#,
      #"{"$type": "Crew", "id": 2, "sailors": []}"#,
      #"{"$type": "Sailor", "name": "Ann"}"#, #"{"$type": "Sailor", "name": "Ben"}"#,
      #"{"$type": "Boat", "name": "Argo", "crew": 1}"#,
    ]
    for options in [["--dry-run"], []] {
      let refused = ToolRun(["import", store] + options, input: lines.joined(separator: "\n"))
      #expect(refused.errors.contains("Crew[2].captain: required, but nil"), "\(refused.errors)")
      #expect(refused.errors.contains("Crew[2].sailors: 0 objects, at least 1"))
      #expect(ToolRun("list", store, "Sailor").output.contains("Ann") == false)
    }
    let input = lines.filter { !$0.contains(#""id": 2"#) }.joined(separator: "\n")
    let done = ToolRun(["import", store], input: input)
    #expect(done.status == .done, "\(done.errors)")
    #expect(ToolRun("check", store).status == .done)

    let denied = ToolRun("delete", store, "Crew", "1", "--write")
    #expect(denied.status != .done)
    #expect(denied.errors.contains("related object: Boat[Argo]"), "\(denied.errors)")
    let needed = ToolRun("delete", store, "Sailor", "Ann", "--write")
    #expect(needed.errors.contains("Crew[1].captain: required, but nil"), "\(needed.errors)")
    #expect(ToolRun("delete", store, "Boat", "Argo", "--write").status == .done)
    #expect(ToolRun("delete", store, "Crew", "1", "--write").status == .done)
    #expect(ToolRun("list", store, "Sailor").output.contains("Ann") == false)
    #expect(ToolRun("check", store).status == .done)
  }
}
