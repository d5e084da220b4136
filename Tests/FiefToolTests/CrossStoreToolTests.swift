import Fief
import FiefConsole
import FiefToolKit
import Foundation
import Testing

final class ToolPet: Object {
  @Persisted(primaryKey: true) var id = 0
}

final class ToolVisit: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var pet: CrossStoreLink<ToolPet>
  @Persisted var others: List<CrossStoreLink<ToolPet>>
  @Persisted var first: CrossStoreLink<ToolPet>?
}

private struct ToolStore: DatabaseConfigurable {
  var schemaName: String?
  var directory: String?
  var objectTypes: [Object.Type]?
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaVersion: UInt64? { 1 }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }

  static func pets(_ directory: String) -> ToolStore {
    ToolStore(schemaName: "pets", directory: directory, objectTypes: [ToolPet.self])
  }

  static func visits(_ directory: String) -> ToolStore {
    ToolStore(schemaName: "visits", directory: directory, objectTypes: [ToolVisit.self])
  }
}

/// The tool's output about references to other stores, and about writes to several stores that are not finished.
@Suite("Several stores") struct CrossStoreToolTests {
  private struct StepFailed: Error {}

  @Test("References are text: in get, in queries, and through export and import")
  func references() throws {
    try ToolStores.withDirectory { directory in
      let (pets, visits) = (ToolStore.pets(directory), ToolStore.visits(directory))
      try visits.write { transaction in
        for id in 1...3 {
          let visit = ToolVisit()
          visit.id = id
          visit.pet = try CrossStoreLink(key: id * 7, in: pets)
          visit.others.append(try CrossStoreLink(key: 1, in: pets))
          try transaction.add(visit)
        }
      }
      visits.close()
      let store = directory + "/visits"
      #expect(
        ToolRun("get", store, "ToolVisit", "1").output == """
          ToolVisit 1
            id      1
            pet     pets/ToolPet/7
            others  ["pets/ToolPet/1"]
            first   nil

          """
      )
      let found = ToolRun("query", store, "ToolVisit", "pet == 'pets/ToolPet/14'", "--json")
      #expect(found.status == .done && found.output.contains(#""id":2"#), "\(found.errors)")
      let lines = ToolRun("export", store, "ToolVisit").output
      #expect(lines.contains(#""pet":"pets/ToolPet/21""#), "\(lines)")
      try visits.write { try $0.deleteAll(ToolVisit.self) }
      visits.close()
      #expect(ToolRun(["import", store, "ToolVisit"], input: lines).status == .done)
      let read = try #require(visits.object(ofType: ToolVisit.self, forPrimaryKey: 3))
      #expect(
        try read.pet == CrossStoreLink(key: 21, in: pets) && read.others.count == 1 && read.first == nil
      )
      visits.close()
    }
  }

  @Test("info and check show what is not finished; a write finishes it")
  func unfinished() throws {
    try ToolStores.withDirectory { directory in
      let (pets, visits) = (ToolStore.pets(directory), ToolStore.visits(directory))
      let manager = StoreManager(repositories: [pets, visits])
      let observer: @Sendable (String) throws -> Void = { step in
        if step == "commit(1)" || step.hasPrefix("replay") { throw StepFailed() }
      }
      JointSteps.$observer.withValue(observer) {
        let error = #expect(throws: FiefError.self) {
          try manager.write(to: pets, and: visits) { pets, visits in
            try pets.create(ToolPet.self, value: ["id": 1])
            try visits.create(ToolVisit.self, value: ["id": 1])
          }
        }
        #expect(error?.code == .unfinishedWrite)
      }
      let late = try #require(
        try [pets, visits].first { try $0.unfinishedWrites().contains { $0.role == .participant } }?.storeName
      )
      let other = late == "pets" ? "visits" : "pets"
      manager.close()
      let info = ToolRun("info", directory + "/" + late)
      #expect(
        info.output.contains(
          "Unfinished: a write to several stores waits for the decision of '\(other)' (../\(other))\n"
        ),
        "\(info.output)"
      )
      #expect(
        ToolRun("info", directory + "/" + other).output.contains(
          "Unfinished: '\(late)' (../\(late)) has not yet completed its part of a write to several stores\n"
        )
      )
      let check = try ToolRun("check", directory + "/" + late, "--json").json()
      #expect((check["unfinishedWrites"] as? [[String: Any]])?.first?["role"] as? String == "participant")
      #expect(check["isWhole"] as? Bool == true)
      let text = ToolRun("check", directory + "/" + other).output
      #expect(text.contains("has not yet completed its part") && text.contains("next opened for writing"))
      let type = late == "pets" ? "ToolPet" : "ToolVisit"
      let put = ToolRun("put", directory + "/" + late, type, #"{"id":2}"#, "--write")
      #expect(put.status == .done, "\(put.errors)")
      #expect(ToolRun("get", directory + "/" + late, type, "1").status == .done)
      #expect(!ToolRun("info", directory + "/" + late).output.contains("Unfinished"))
      #expect(!ToolRun("info", directory + "/" + other).output.contains("Unfinished"))
    }
  }
}
