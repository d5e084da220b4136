import Fief
import FiefTorture
import Foundation
import LMDB

/// A process that damages copies of a store, one after the other, and uses each: reads, writes, reads, checks.
struct DamageProcess: DamageRole {
  private let directory: String
  private let healthy: [String: [UInt8]]
  private let expected: [[StoreReadings.Answer]]
  private let known: KnownParts
  private let stale: [UInt8]
  private let events = EventCount()

  /// The number of events that a store reported.
  private final class EventCount: Sendable {
    private let count = OwnedLock(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  private static let files = ["data.mdb", "store.manifest", "lock.mdb"]

  init(_ directory: String, _ arguments: Arguments) throws {
    self.directory = directory
    let steps = TortureSteps(directory: directory)
    var stale: [UInt8] = []
    let path = directory + "/first"
    for (index, step) in steps.all.prefix(StoreReadings.steps).enumerated() where index != 1 {
      if index == 4 {
        steps.close()
        stale = try StoreFiles.read(path + "/data.mdb")
      }
      try step.body()
    }
    steps.close()
    self.stale = stale
    healthy = try Dictionary(
      uniqueKeysWithValues: Self.files.map { ($0, try StoreFiles.read(path + "/" + $0)) }
    )
    let readings = StoreReadings(TortureRepository("first", in: directory))
    var expected = [StoreReadings.names.map(readings.answer)]
    // An entry that is not found makes another value the greatest.
    var greatest = try readings.greatestRanks()
    try readings.change()
    greatest += try readings.greatestRanks()
    expected.append(StoreReadings.names.map(readings.answer))
    TortureRepository("first", in: directory).close()
    guard expected.joined().allSatisfy({ if case .text = $0 { true } else { false } }),
      expected[0] != expected[1]
    else {
      throw BrokenTest("the healthy store answers \(expected)")
    }
    self.expected = expected
    var known = KnownParts()
    for answers in expected {
      for (name, answer) in zip(StoreReadings.names, answers) { known.add(name, answer) }
    }
    known.add(greatest)
    self.known = known
  }

  /// One round in eight damages the manifest or the lock file.
  private func damage(_ round: Int, seed: Int, _ random: inout TortureRandom) -> (
    files: [String: [UInt8]], place: String
  ) {
    var files = healthy
    guard round % 8 == 7 else {
      let place = StoreFiles.damageData(of: &files, round - round / 8, seed: seed, &random)
      return (files, place)
    }
    let name = random.next(2) == 0 ? "store.manifest" : "lock.mdb"
    let place = StoreFiles.damageFile(name, of: &files, &random)
    return (files, place)
  }

  // MARK: Using a store

  func use(_ round: Int, _ seed: Int, isControl: Bool, _ answers: inout AnswerCount) throws {
    var random = TortureRandom(seed: seed &* 1_000_003 &+ round)
    var (files, place) = damage(round, seed: seed, &random)
    // The defects: an older state of the store, or another value of an object, though the check finds something.
    let isForged = isControl && round % 2 == 1
    if isControl {
      files = healthy
      if !isForged { files["data.mdb"] = stale }
      place = isForged ? "another value of an object" : "an older state of the store"
    }
    say("round \(round) \(place)")
    try StoreFiles.write(files, to: directory + "/first")
    if isForged { try forge() }
    var repository = TortureRepository("first", in: directory)
    // Every second eight are opened as a store that is too large to be verified at once: page by page.
    if round / 8 % 2 == 1 { repository.storeOptions.wholeVerificationBytes = 0 }
    repository.storeOptions.eventHandler = { [events] event in
      switch event {
      case .failedRead, .misuse, .failedWrite: events.add()
      default: break
      }
    }
    defer { repository.close() }
    if let error = repository.store().openingError {
      return answers.judgeOpening(
        error,
        "round \(round) \(place)",
        allowed: ["formatTooNew", "formatTooOld"]
      )
    }
    let readings = StoreReadings(repository)
    ask(readings, state: 0, "", &answers)
    do {
      try readings.change()
      ask(readings, state: 1, " after a write", &answers)
    } catch {
      answers.judgeWrite(error)
      ask(readings, state: 0, " after a write that failed", &answers)
    }
    answers.finish("round \(round) \(place)", isControl: isForged) { try repository.check().isConsistent }
  }

  /// Gives an object another value, as a record would have it whose checksum is not looked at.
  private func forge() throws {
    let repository = TortureRepository("first", in: directory)
    defer { repository.close() }
    try repository.write { transaction in
      try transaction.object(ofType: TortureItem.self, forPrimaryKey: 130)?.text = "a forged text"
    }
  }

  private func ask(_ readings: StoreReadings, state: Int, _ moment: String, _ answers: inout AnswerCount) {
    for (name, right) in zip(StoreReadings.names, expected[state]) {
      let before = events.value
      let answer = readings.answer(name)
      answers.judge(
        name,
        answer,
        right: right,
        known,
        moment: moment,
        isReported: events.value > before,
        isAfterWrite: state > 0
      )
    }
  }
}
