import Fief
import FiefTorture
import Foundation
import LMDB

/// A process that damages copies of a store, one after the other, and uses each: reads, writes, reads, checks.
///
/// It prints `round N …` before each, `wrong …` for an answer that is neither right nor an error nor reported where the
/// check finds nothing either, and `outcome …` at the end.
struct DamageProcess {
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

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first else { throw BrokenTest("usage: damage DIRECTORY …") }
    let process = try DamageProcess(directory)
    let (first, rounds, seed) = (
      arguments.number("first") ?? 0, arguments.number("rounds") ?? 1, arguments.number("seed") ?? 0
    )
    var answers = AnswerCount()
    for round in first..<first + rounds {
      alarm(60)
      try process.use(round, seed, isControl: arguments.text("control") == "yes", &answers)
    }
    answers.print()
    say("end")
  }

  private init(_ directory: String) throws {
    self.directory = directory
    let steps = TortureSteps(directory: directory)
    var stale: [UInt8] = []
    let path = directory + "/first"
    for (index, step) in steps.all.prefix(StoreReadings.steps).enumerated() where index != 1 {
      if index == 4 {
        steps.close()
        stale = try Self.read(path + "/data.mdb")
      }
      try step.body()
    }
    steps.close()
    self.stale = stale
    healthy = try Dictionary(uniqueKeysWithValues: Self.files.map { ($0, try Self.read(path + "/" + $0)) })
    let readings = StoreReadings(TortureRepository("first", in: directory))
    var expected = [StoreReadings.names.map(readings.answer)]
    try readings.change()
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
    self.known = known
  }

  static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Writes the files of a store.
  static func write(_ files: [String: [UInt8]], to directory: String) throws {
    for (name, bytes) in files {
      let file = open(directory + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      defer { close(file) }
      guard file >= 0,
        bytes.withUnsafeBytes({ Foundation.write(file, $0.baseAddress, $0.count) }) == bytes.count
      else {
        throw BrokenTest("\(name) cannot be written: errno \(errno)")
      }
    }
  }

  /// One round in eight damages the manifest or the lock file.
  private func damage(_ round: Int, _ random: inout TortureRandom) -> (
    files: [String: [UInt8]], place: String
  ) {
    var files = healthy
    guard round % 8 == 7 else {
      let place = Self.damageData(of: &files, round - round / 8, &random)
      return (files, place)
    }
    let name = random.next(2) == 0 ? "store.manifest" : "lock.mdb"
    let place = Self.damageFile(name, of: &files, &random)
    return (files, place)
  }

  /// Damages the data file in the way that comes next; says where.
  static func damageData(
    of files: inout [String: [UInt8]],
    _ round: Int,
    _ random: inout TortureRandom
  ) -> String {
    let kinds = DamageKind.allCases
    let kind = kinds[round % kinds.count]
    var bytes = files["data.mdb"] ?? []
    let place = kind.apply(to: &bytes, number: round / kinds.count, &random)
    files["data.mdb"] = bytes
    return "data.mdb \(kind.rawValue) \(place)"
  }

  /// Damages a small file; says where.
  static func damageFile(
    _ name: String,
    of files: inout [String: [UInt8]],
    _ random: inout TortureRandom
  ) -> String {
    var bytes = files[name] ?? []
    let kind = random.next(4)
    let place = random.next(name == "lock.mdb" && random.next(2) == 0 ? min(256, bytes.count) : bytes.count)
    switch kind {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.next(8))
    case 1: bytes.removeLast(bytes.count - place)
    case 2: for index in place..<min(place + 64, bytes.count) { bytes[index] = UInt8(random.next(256)) }
    default: bytes = [UInt8](repeating: 0, count: bytes.count)
    }
    files[name] = bytes
    return "\(name) \(["bit", "truncated", "scattered", "zeroed"][kind]) byte \(place)"
  }

  // MARK: Using a store

  private func use(_ round: Int, _ seed: Int, isControl: Bool, _ answers: inout AnswerCount) throws {
    var random = TortureRandom(seed: seed &* 1_000_003 &+ round)
    var (files, place) = damage(round, &random)
    // The defects: an older state of the store, or another value of an object, though the check finds something.
    let isForged = isControl && round % 2 == 1
    if isControl {
      files = healthy
      if !isForged { files["data.mdb"] = stale }
      place = isForged ? "another value of an object" : "an older state of the store"
    }
    say("round \(round) \(place)")
    try Self.write(files, to: directory + "/first")
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
