import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Several processes have one store, and one of them migrates it.
@Suite(.timeLimit(.minutes(20))) struct MigrationProcessTests {
  private func master() throws -> TemporaryDirectory {
    let master = try TemporaryDirectory()
    let old = StressMigrationRepository(version: 1, directory: master.path)
    try old.fill()
    old.close()
    return master
  }

  @Test func ofProcessesThatOpenAtOnceExactlyOneMigrates() throws {
    let master = try master()
    for round in 0..<TestEffort.count(3, more: 5) {
      let directory = try MigrationStores.copy(master)
      let children = try (0..<3).map { _ in try CrashChild("evolve", directory.path) }
      let lines = children.flatMap { $0.finish().lines }
      #expect(lines.count { $0 == "migrated 1 2" } == 1, "round \(round): \(lines)")
      #expect(lines.count { $0 == "opened 1" } == 3, "round \(round): \(lines)")
      #expect(try MigrationStores.version(in: directory, "round \(round)") == 2)
    }
  }

  @Test func aProcessWithTheOldSchemaFindsOutAndReadsNothingWrong() throws {
    let master = try master()
    for round in 0..<TestEffort.count(2, more: 3) {
      let directory = try MigrationStores.copy(master)
      let child = try CrashChild("old", directory.path)
      child.wait(for: "ready")
      let new = StressMigrationRepository(version: 2, directory: directory.path)
      #expect(try new.problems() == [], "round \(round)")
      let (lines, _) = child.finish()
      for number in 0..<5 { #expect(lines.contains("loop \(number) schemaChanged"), "\(lines)") }
      #expect(lines.contains("then schemaChanged") && lines.contains("reopened versionTooLow"), "\(lines)")
      #expect(lines.last == "end 1", "\(lines)")
      #expect(try new.problems() == [], "round \(round)")
      new.close()
    }
  }

  @Test func theErrorNamesBothVersionsAndClosingLetsGo() throws {
    let directory = try MigrationStores.copy(try master())
    let old = StressMigrationRepository(version: 1, directory: directory.path)
    let kept = try #require(old.object(ofType: StressAnimalBefore.self, forPrimaryKey: 9))
    let results = old.store().objects(StressAnimalBefore.self)
    try old.read { snapshot in
      let child = try CrashChild("evolve", directory.path)
      #expect(child.finish().lines.contains("migrated 1 2"))
      // A scope that was open sees the state that it began with.
      #expect(try snapshot.object(ofType: StressAnimalBefore.self, forPrimaryKey: 11)?.tag == "tag 11")
    }
    let error = #expect(throws: FiefError.self) { try old.read { _ in } }
    #expect(error?.code == .schemaChanged && error?.store == "animals")
    #expect(error?.details.contains { $0.hasSuffix("when it was opened: 1") } == true)
    #expect(error?.details.contains { $0.hasSuffix("now: 2") } == true)
    #expect(throws: FiefError.self) { try old.write { _ in } }
    #expect(throws: FiefError.self) { try results.all() }
    #expect(results.first == nil && kept.tag == "tag 9")
    // A link that is not read yet cannot be read.
    #expect(kept.owner == nil)
    #expect(try Store.schemaVersion(at: directory["animals"]) == 2)
    old.close()
    #expect(old.store().openingError?.code == .versionTooLow)
    let new = StressMigrationRepository(version: 2, directory: directory.path)
    defer { new.close() }
    #expect(try new.problems() == [])
  }

  @Test func everyOtherWayToTheStoreFindsOutToo() async throws {
    let directory = try MigrationStores.copy(try master())
    let old = StressMigrationRepository(version: 1, directory: directory.path)
    let results = old.store().objects(StressAnimalBefore.self)
    let token = try old.observe { _ in Issue.record("Nothing of the old schema is written.") }
    defer { withExtendedLifetime(token) {} }
    // While these wait in the queue the other process migrates.
    try old.store().pauseWrites()
    let waiting = (0..<3).map { id in
      Task {
        try await old.save(entity: StressHolderBefore(value: ["id": id, "title": "late"]), update: true)
      }
    }
    let child = try CrashChild("evolve", directory.path)
    #expect(child.finish().lines.contains("migrated 1 2"))
    try old.store().resumeWrites()
    func expectChanged(_ what: String, _ body: () async throws -> Void) async {
      do {
        try await body()
        Issue.record("\(what) has found nothing")
      } catch { #expect((error as? FiefError)?.code == .schemaChanged, "\(what): \(error)") }
    }
    for task in waiting { await expectChanged("a save that waits") { _ = try await task.value } }
    await expectChanged("a later save") { _ = try await old.save(entity: StressHolderBefore(), update: true) }
    await expectChanged("a check") { _ = try old.check() }
    await expectChanged("an overview") { _ = try old.overview() }
    await expectChanged("a count") { _ = try old.count(StressGone.self) }
    await expectChanged("a deletion") { _ = try await old.deleteAll(deleteObjClass: StressGone.self) }
    for _ in results { Issue.record("There is nothing to go through.") }
    // A backup has what is in the file, of whatever schema.
    try old.backup(to: directory["copy"])
    #expect(try Store.schemaVersion(at: directory["copy"]) == 2)
    try old.compact()
    old.close()
    #expect(old.store().openingError?.code == .versionTooLow)
    let new = StressMigrationRepository(version: 2, directory: directory.path)
    defer { new.close() }
    #expect(try new.problems() == [])
  }

  @Test func ownCommitsAndCompactionsAreNoChangeOfTheSchema() throws {
    let directory = try MigrationStores.copy(try master())
    let first = StressMigrationRepository(version: 1, directory: directory.path)
    let second = StressMigrationRepository(version: 1, directory: directory.path)
    defer { first.close() }
    for round in 0..<5 {
      try first.write { try $0.create(StressHolderBefore.self, value: ["id": 2000 + round]) }
      #expect(throws: Undone.self) { try second.write { _ in throw Undone() } }
      #expect(try second.count(StressHolderBefore.self) == StressMigrationRepository.holders + round + 1)
      try second.compact()
      #expect(try first.check().problems == [])
    }
  }

  private struct Undone: Error {}

  @Test func commitsOfOthersWithoutAMigrationGoOn() throws {
    let directory = try TemporaryDirectory()
    let old = StressMigrationRepository(version: 1, directory: directory.path)
    defer { old.close() }
    // The other process fills the store, and this one reads and writes before and after.
    #expect(try old.count(StressGone.self) == 0)
    let child = try CrashChild("fill", directory.path)
    #expect(child.finish().lines.last == "end 1")
    #expect(try old.problems() == [])
    try old.write { try $0.create(StressHolderBefore.self, value: ["id": 1000]) }
    #expect(try old.count(StressHolderBefore.self) == StressMigrationRepository.holders + 1)
  }
}
