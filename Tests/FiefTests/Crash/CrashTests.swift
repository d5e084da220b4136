import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// A process is killed with SIGKILL wherever it happens to be; what it had reported as done is there.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct CrashTests {
  /// The number of series of kills; the kills of a series are on the same stores, and each series begins new
  /// ones: reading all of a store after each kill costs more and more.
  static let series = TestEffort.count(1, more: 2)
  static let killsOfASeries = TestEffort.count(8, more: 15)

  @Test(arguments: 0..<series)
  func noReportedWriteIsLost(series: Int) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let stores = StressRepositories { StressRepository($0, directory: directory.path) }
    defer { stores.close() }
    var outcome = StressOutcome()
    for round in 0..<Self.killsOfASeries {
      let place = "series \(series), seed \(seed), round \(round)"
      let child = try CrashChild("write", directory.path, "\(random.next() % 1_000_000)", "\(round)")
      let (lines, end) = try child.kill(microseconds: 5_000 + random.next(55_000), after: "saved")
      var isWhole = false
      for line in lines {
        if let event = StressEvent(line: line) { outcome.add(event) } else { isWhole = line == "end 0" }
      }
      #expect(isWhole || end == .killed, "\(place)")
      let problems = try StressVerifier(stores: stores).problems(outcome, isExact: false)
      #expect(problems.isEmpty, "\(place)")
      // Writes that the killed process could not report any more are continued by the next one.
      for task in outcome.counters.keys {
        let name = StressWorkload.counterName(task)
        outcome.counters[task] =
          stores.auth.object(ofType: StressUser.self, forPrimaryKey: name)?.visits
      }
      stores.close()
      guard problems.isEmpty else { return }
    }
    #expect(outcome.saved.count >= Self.killsOfASeries, "seed \(seed)")
  }

  @Test func aStoreWhoseCreationIsKilledOpens() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    for round in 0..<TestEffort.count(5, more: 10) {
      let directory = try TemporaryDirectory()
      let child = try CrashChild("create", directory.path)
      let (lines, end) = try child.kill(microseconds: random.next(12_000), after: "creating")
      #expect(end == .killed, "seed \(seed), round \(round)")
      let begun = lines.count { $0.hasPrefix("creating") }
      // The stores before the last two are complete; the last two may have been begun only.
      for number in max(0, begun - 2)..<begun {
        let repository = StressRepository(.pets, directory: directory["\(number)"])
        defer { repository.close() }
        let error = repository.store().openingError
        #expect(error == nil, "seed \(seed), round \(round), store \(number)")
        if error != nil { continue }
        #expect(try repository.check().problems == [], "seed \(seed), round \(round)")
        try repository.write { try $0.create(StressPerson.self, value: ["id": 1, "name": "Jane"]) }
        #expect(try repository.count(StressPerson.self) == 1, "seed \(seed), round \(round)")
      }
    }
  }

  @Test func aStoreWhoseMigrationIsKilledIsOldOrNew() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let master = try TemporaryDirectory()
    try makeItems(in: master.path)
    var versions: [UInt64: Int] = [:]
    // The first run is let to its end.
    let whole = try copy(master)
    let (lines, _) = try CrashChild("migrate", whole.path).finish()
    #expect(lines.last == "end 1", "\(lines)")
    #expect(try version(in: whole.path, seed) == 2)
    var moment = KillMoment(microseconds: 100_000)
    var round = 0
    while round < TestEffort.count(3, more: 6) || versions[1] == nil {
      let directory = try copy(master)
      let child = try CrashChild("migrate", directory.path)
      let (lines, _) = try child.kill(microseconds: moment.next(&random), after: "migrating")
      let version = try version(in: directory.path, seed)
      moment.note(wasDone: version == 2)
      versions[version, default: 0] += 1
      if lines.contains("migrated 1") { #expect(version == 2, "seed \(seed), round \(round)") }
      round += 1
    }
  }

  private func makeItems(in directory: String) throws {
    let repository = StressItemRepository(version: 1, directory: directory)
    defer { repository.close() }
    try repository.write { transaction in
      for id in 0..<StressItemRepository.count {
        try transaction.create(
          StressItemBefore.self,
          value: ["id": id, "label": "label \(id % 500)", "number": id]
        )
      }
    }
  }

  private func copy(_ master: TemporaryDirectory) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let store = directory["items"]
    try FileManager.default.createDirectory(
      atPath: store,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try FileManager.default.copyItem(atPath: master["items/data.mdb"], toPath: store + "/data.mdb")
    return directory
  }

  /// The version that the store has; it is whole in that version.
  private func version(in directory: String, _ seed: UInt64) throws -> UInt64 {
    let before = StressItemRepository(version: 1, directory: directory)
    defer { before.close() }
    guard let error = before.store().openingError else {
      #expect(try before.check().problems == [], "seed \(seed)")
      var (id, wrong) = (0, [Int]())
      try before.read { snapshot in
        for item in snapshot.objects(StressItemBefore.self) {
          if item.id != id || item.label != "label \(id % 500)" || item.number != id { wrong.append(id) }
          id += 1
        }
      }
      #expect(id == StressItemRepository.count && wrong == [], "seed \(seed)")
      return 1
    }
    #expect(error.code == .versionTooLow, "\(error)")
    let after = StressItemRepository(version: 2, directory: directory)
    defer { after.close() }
    #expect(try after.check().problems == [], "seed \(seed)")
    var (id, wrong) = (0, [Int]())
    try after.read { snapshot in
      for item in snapshot.objects(StressItemAfter.self) {
        let isRight = item.id == id && item.rank == id % 500 && item.number == id * 2
        if !isRight || item.note != "migrated" { wrong.append(id) }
        id += 1
      }
    }
    #expect(id == StressItemRepository.count && wrong == [], "seed \(seed)")
    return 2
  }
}
