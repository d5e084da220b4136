import Fief
import FiefCommands
import Foundation
import Testing

/// The classes of version 2 without the step that keeps the nicks.
private struct Unplanned: DatabaseConfigurable {
  var directory: String?
  var schemaVersion: UInt64? = 2
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "a" }
  var objectTypes: [Object.Type]? { [RunnerVersion2.Kennel.self, RunnerVersion2.Hound.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
}

@Suite("The runner names values that are dropped") struct RunnerDroppedTests {
  private static let rename = #"migration.renameProperty(onType: "Hound", from: "nick", to: "title")"#

  @Test("before a migration, in the plan and where the version was not raised")
  func before() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let plan = fixture.run([Unplanned(directory: fixture.directory)], "plan")
    #expect(plan.outcome == .done)
    #expect(plan.text.contains("the values of Hound.nick are dropped"), "\(plan.text)")
    #expect(plan.text.contains("if it was renamed, the migration block keeps them: \(Self.rename)"))
    let status = fixture.run([Unplanned(directory: fixture.directory, schemaVersion: 1)], "status")
    #expect(status.outcome == .refused)
    #expect(status.text.contains(Self.rename), "\(status.text)")
  }

  @Test("after a migration")
  func after() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 3)
    let repository = Unplanned(directory: fixture.directory)
    let result = fixture.run([repository], "migrate", "--yes")
    #expect(result.outcome == .done)
    #expect(
      result.text.contains("the values of Hound.nick were dropped. If the property was renamed, restore"),
      "\(result.text)"
    )
    #expect(result.text.contains(Self.rename))
    #expect(fixture.run([repository], "rollback", "--yes").outcome == .done)
    let document = try fixture.run([repository], "migrate", "--yes", "--json").stores()["a"]
    let dropped = try #require(document?["dropped"] as? [[String: Any]])
    #expect(dropped.count == 1 && dropped.first?["property"] as? String == "nick")
    #expect(dropped.first?["likelyNames"] as? [String] == ["title"])
    #expect(try repository.check().problems.isEmpty)
    repository.close()
    // The step of version 2 reads the nicks.
    try fixture.fill("b", hounds: 3)
    let planned = try fixture.run([fixture.repository("b", version: 2)], "migrate", "--yes", "--json")
      .stores()
    #expect((planned["b"]?["dropped"] as? [Any])?.isEmpty == true)
  }
}
