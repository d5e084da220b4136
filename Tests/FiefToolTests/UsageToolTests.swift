import Fief
import Foundation
import Testing

/// What the tool shows of the usage that a store keeps.
@Suite("The tool shows usage") struct UsageToolTests {
  final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }

  struct CatRepository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inStorage
    let schemaName: String? = "cats"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Cat.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    let directory: String?
    var keepsUsage = true

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.keepsUsage = keepsUsage
      options.clock = { Date(timeIntervalSince1970: 1_000_000_000) }
      return options
    }
  }

  @Test("stats --usage by type and label")
  func usage() throws {
    try ToolStores.withDirectory { directory in
      let repository = CatRepository(directory: directory)
      try repository.saveAndWait(entities: (0..<3).map { Cat(value: ["id": $0, "name": "Tom"]) })
      StoreUsage.withLabel("profile") {
        for id in 0..<2 { _ = repository.object(ofType: Cat.self, forPrimaryKey: id) }
      }
      repository.store().close()
      let store = directory + "/cats"
      let run = ToolRun("stats", store, "--usage")
      #expect(run.status == .done && run.errors == "")
      let lines = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
      #expect(lines.first == "Since Of Reads Writes Deletes Bytes read Bytes written")
      #expect(lines[1].hasPrefix("2001-09-09 01:00 UTC all 2 3 0 "))
      #expect(lines[2].hasPrefix("Cat 2 3 0 ") && lines[3].hasPrefix("label profile 2 0 0 "))
      #expect(lines[4].hasPrefix("2001-09-09 00:00 UTC all 2 3 0 ") && lines[7].hasPrefix("ever all 2 3 0 "))
      let document = try ToolRun("--json", "stats", store, "--usage").json()
      let day = try #require((document["usage"] as? [String: Any])?["day"] as? [String: Any])
      #expect(day["since"] as? String == "2001-09-09T00:00:00Z")
      #expect((day["total"] as? [String: Any])?["writes"] as? Int == 3)
      #expect(((day["labels"] as? [String: Any])?["profile"] as? [String: Any])?["reads"] as? Int == 2)
      #expect(ToolRun("check", store).status == .done)
    }
  }

  @Test("stats --usage of a store that keeps none")
  func none() throws {
    try ToolStores.withDirectory { directory in
      let repository = CatRepository(directory: directory, keepsUsage: false)
      try repository.saveAndWait(entity: Cat(value: ["id": 1]))
      repository.store().close()
      let run = ToolRun("stats", directory + "/cats", "--usage")
      #expect(run.status == .done && run.output.hasPrefix("The store keeps no usage"))
      let document = try ToolRun("--json", "stats", directory + "/cats", "--usage").json()
      #expect(document["usage"] is NSNull)
    }
  }
}
