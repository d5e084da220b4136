import Fief
import FiefStress
import Foundation
import LMDB
import TestEffort
import Testing

/// A migration that does everything is killed at random points from its begin to behind its commit.
@Suite(.timeLimit(.minutes(20))) struct MigrationCrashTests {
  private static let series = TestEffort.count(1, more: 2)
  private static let killsOfASeries = TestEffort.count(8, more: 20)
  /// The number of kills that found the store at each version, over all series.
  private static let outcomes = OwnedLock((finished: 0, versions: [UInt64: Int]()))

  @Test(arguments: 0..<series)
  func theStoreIsOldOrNewAndWhole(series: Int) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let master = try TemporaryDirectory()
    let old = StressMigrationRepository(version: 1, directory: master.path)
    try old.fill()
    #expect(try old.problems() == [])
    old.close()
    var (early, late) = (KillMoment(microseconds: 100_000), KillMoment(microseconds: 10_000))
    for round in 0..<Self.killsOfASeries {
      let place = "series \(series), seed \(seed), round \(round)"
      let directory = try MigrationStores.copy(master)
      let child = try CrashChild("evolve", directory.path)
      // The commit is short, so that every other kill is after the block.
      let isLate = round % 2 == 1
      let (lines, _) = try child.kill(
        microseconds: isLate ? late.next(&random) : early.next(&random),
        after: isLate ? "block" : "migrating"
      )
      let version = try MigrationStores.version(in: directory, place)
      if isLate { late.note(wasDone: version == 2) } else { early.note(wasDone: version == 2) }
      if lines.contains("opened 1") { #expect(version == 2, "\(place)") }
      Self.outcomes.withLock { $0.versions[version, default: 0] += 1 }
    }
    let outcome = Self.outcomes.withLock { outcome in
      outcome.finished += 1
      return outcome
    }
    guard outcome.finished == Self.series else { return }
    #expect(outcome.versions.values.reduce(0, +) == Self.series * Self.killsOfASeries)
    let least = Self.series * Self.killsOfASeries / 20
    #expect(
      outcome.versions[1, default: 0] >= least && outcome.versions[2, default: 0] >= least,
      "\(outcome)"
    )
  }

  /// Killed at the begin and at the end of each part of the building of indexes, all of which are before the commit.
  @Test func theStoreIsOldWhileIndexesAreBuilt() throws {
    let master = try TemporaryDirectory()
    let old = StressMigrationRepository(version: 1, directory: master.path)
    try old.fill()
    old.close()
    var activities: [String] = []
    while true {
      let step = activities.count + 1
      let directory = try MigrationStores.copy(master)
      let (lines, end) = try CrashChild("evolve", directory.path, "\(step)").finish()
      guard end == .killed else {
        #expect(lines.contains("migrated 1 2"))
        #expect(try MigrationStores.version(in: directory, "not killed") == 2)
        break
      }
      let activity = try #require(lines.last { $0.hasPrefix("killed ") }).dropFirst("killed ".count)
      activities.append(String(activity))
      #expect(try MigrationStores.version(in: directory, "step \(step), \(activity)") == 1)
      // The next process makes the migration.
      guard step % TestEffort.count(10, more: 5) == 1 else { continue }
      #expect(try CrashChild("evolve", directory.path).finish().lines.contains("migrated 1 2"))
      #expect(try MigrationStores.version(in: directory, "after step \(step)") == 2)
    }
    for name in [
      "full-text index (note)", "case-insensitive index (label, rank)", "unique index (name, weight, id)",
      "full-text index (name, label)",
    ] {
      #expect(activities.count { $0 == "StressAnimal: writing the \(name)" } >= 2, "\(name): \(activities)")
    }
    #expect(activities.first == "StressAnimal: reading for indexes")
  }
}

/// Stores for the tests that migrate in other processes.
enum MigrationStores {
  static func copy(_ master: TemporaryDirectory) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let store = directory["animals"]
    try FileManager.default.createDirectory(
      atPath: store,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try FileManager.default.copyItem(atPath: master["animals/data.mdb"], toPath: store + "/data.mdb")
    return directory
  }

  /// The version of a store, which is whole in it.
  static func version(in directory: TemporaryDirectory, _ place: String) throws -> UInt64 {
    let version = try Store.schemaVersion(at: directory["animals"])
    let repository = StressMigrationRepository(version: version, directory: directory.path)
    defer { repository.close() }
    #expect(try repository.problems() == [], "\(place)")
    return version
  }
}
