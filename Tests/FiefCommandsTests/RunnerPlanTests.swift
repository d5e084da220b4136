import Fief
import FiefCommands
import Foundation
import Testing

@Suite("The runner's plan") struct RunnerPlanTests {
  @Test("Steps, differences, objects and room are said, and nothing is changed")
  func text() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 20)
    let result = fixture.run([fixture.repository("a", version: 2)], "plan")
    #expect(
      result.lines == [
        "a", "from version 1 to 2", "Steps:", "2 titles: The nick of a hound becomes its title.",
        "Differences:",
        "Hound.title: String? was added", "done at once; older objects read the class's default",
        "Hound.weight was changed from Int32 to Int",
        "done at once; older objects are converted when read",
        "Hound.nick: String was removed",
        "the values of Hound.nick are dropped, unless the block moves them; if it",
        "was renamed, the migration block keeps them:",
        #"migration.renameProperty(onType: "Hound", from: "nick", to: "title")"#,
        "Hound.name is now indexed", "the index is built from all 20 objects",
        "20 objects are of types with changes beyond the catalogue.",
        "A block runs; try a rehearsal ('keeper plan --rehearse').",
        "A backup takes about SIZE, and the store may grow by SIZE; SIZE are",
        "free.",
        "Nothing was changed. 'keeper migrate' runs it, after making backups.",
      ]
    )
    #expect(result.outcome == .done)
    #expect(try fixture.names() == ["a"])
    #expect(try fixture.repository("a", version: 1).contents().count == 21)
  }

  @Test("A store that is up to date has nothing to do")
  func nothing() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let result = fixture.run([fixture.repository("a", version: 1)], "plan")
    #expect(result.outcome == .nothingToDo)
    #expect(result.lines == ["a", "up to date: nothing to do.", "There is nothing to migrate."])
    #expect(fixture.run([fixture.repository("a", version: 1)], "plan", "--exit-zero").outcome == .done)
  }

  @Test("A rehearsal runs the block on a copy, times it and leaves nothing behind")
  func rehearsal() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 200)
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
    let result = fixture.run([fixture.repository("a", version: 2)], "plan", "--rehearse", "--json")
    #expect(result.outcome == .done)
    let rehearsal = try #require(try result.stores()["a"]?["rehearsal"] as? [String: Any])
    #expect(try #require(rehearsal["migratingSeconds"] as? Double) > 0)
    #expect((rehearsal["problems"] as? [String])?.isEmpty == true)
    let after = try #require(rehearsal["after"] as? [[String: Any]])
    #expect(after.compactMap { $0["objects"] as? Int } == [200, 1])
    #expect(try fixture.names() == ["a"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb"))) == before)
    let text = fixture.run([fixture.repository("a", version: 2)], "plan", "--rehearse")
    #expect(
      text.text.contains("Rehearsed on a copy:") && text.text.contains("The migrated copy is intact.")
    )
  }

  @Test("A rehearsal finds what the migration cannot take")
  func failingRehearsal() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", "b")
    let result = fixture.run(
      [fixture.repository("a", version: 2, isBroken: true), fixture.repository("b", version: 2)],
      "plan",
      "--rehearse"
    )
    #expect(result.outcome == .failed)
    #expect(result.text.contains("This was a rehearsal: the store is unchanged."))
    #expect(result.text.contains("The migrated copy is intact."))
    #expect(try fixture.names() == ["a", "b"])
    #expect(
      try fixture.repository("a", version: 1).contents()
        == RunnerRepository.expected("a", hounds: 20, version: 1)
    )
  }

  @Test("A rehearsal of a store that is in use works", .enabled(if: RunnerSystem.isLinux))
  func rehearsalInUse() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let lock = try RunnerForeignLock(fixture.path("a"))
    let result = fixture.run([fixture.repository("a", version: 2)], "plan", "--rehearse")
    #expect(result.outcome == .done)
    #expect(result.text.contains("A process has the store open: stop it first."))
    withExtendedLifetime(lock) {}
  }
}
