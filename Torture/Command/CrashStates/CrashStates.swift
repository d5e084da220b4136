import FiefTorture
import Foundation

/// Records the writes and synchronisations of the workload and builds what power cuts at any moment can leave of them.
struct CrashStates: TortureTest {
  static let name = "crash-states"

  private let setting: TortureSetting
  private let states: StepStates
  private let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("recording_calls")
    states = try StepStates(work: setting.work)
  }

  func run() throws -> Outcome {
    let count = setting.effort.count(short: 100, command: 2_000, night: 20_000)
    say("crash-states: seed \(setting.seed)")
    return try run(count: count, .none)
  }

  func control() throws -> ControlOutcome {
    let count = setting.effort.count(short: 40, command: 100, night: 200)
    let found = Set(try run(count: count, .noSynchronisation).findings.map(\.repetition)).count
    return ControlOutcome(
      defect: "a disk on which a synchronisation does nothing",
      found: found,
      runs: count,
      needed: count / 4
    )
  }

  func runOnce() throws -> Outcome {
    guard let state = setting.arguments.number("state"), let path = setting.arguments.text("record") else {
      throw BrokenTest("a state has --seed, --state and --record")
    }
    return try check(state, try CallRecord(path), recordPath: path, .none, worker: 0)
  }

  // MARK: States

  /// A store knows its place, so that a worker builds its states where its record was made.
  private func run(count: Int, _ defect: RecordedDisk.Defect) throws -> Outcome {
    let records = try (0..<setting.workers).map { try record(in: "\(setting.work)/run-\($0)") }
    return try setting.forEach(Array(0..<count), unit: "states after a power cut") { state, worker in
      let path = "\(setting.work)/run-\(worker)-record"
      return try check(state, records[worker], recordPath: path, defect, worker: worker)
    }
  }

  private func record(in directory: String) throws -> CallRecord {
    try setting.fresh(directory)
    let path = "\(directory)-record"
    let child = try ChildRun(
      ["steps", directory],
      environment: ["LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory, "TORTURE_RECORD": path],
      output: "\(directory)-output",
      seconds: 60
    )
    guard child.end == .exited(0), child.lines.last == "end" else {
      throw BrokenTest("the recorded workload ended with \(child.end): \(child.lines)")
    }
    let record = try CallRecord(path)
    var disk = RecordedDisk()
    for entry in record.entries { try disk.apply(entry) }
    // The record is whole where it leads to what the workload has left.
    try setting.fresh(directory)
    try disk.writeAll(to: directory)
    let content = try StepStates.content(of: directory, output: "\(directory)-content")
    guard content.text == states.texts.last, content.problems.isEmpty else {
      throw BrokenTest(
        "the record does not lead to the stores that the workload has left: \(content.problems)"
      )
    }
    return record
  }

  /// Builds the state of a number and looks at it.
  private func check(
    _ state: Int,
    _ record: CallRecord,
    recordPath: String,
    _ defect: RecordedDisk.Defect,
    worker: Int
  ) throws -> Outcome {
    var random = TortureRandom(seed: setting.seed &* 1_000_003 &+ state)
    let cut = 1 + random.next(record.entries.count)
    var disk = RecordedDisk(defect: defect)
    for entry in record.entries.prefix(cut) { try disk.apply(entry) }
    let directory = disk.root
    guard !directory.isEmpty else { throw BrokenTest("the record has no directory") }
    try setting.fresh(directory)
    try disk.writeCrashState(to: directory, &random)
    let content = try StepStates.content(of: directory, output: "\(setting.work)/content-\(worker)")
    let done = disk.printed.split(separator: "\n").count { $0.hasPrefix("done ") }
    var outcome = Outcome("states after a power cut")
    outcome.runs = 1
    let problem = states.problem(of: content.text, done: done, canBeDone: true)
    guard problem != nil || !content.problems.isEmpty else { return outcome }
    // The names in a record are random, and another record has other entries.
    let kept = "\(setting.work)/finding-\(state)-record"
    if defect == .none, kept != recordPath {
      try? FileManager.default.removeItem(atPath: kept)
      try FileManager.default.copyItem(atPath: recordPath, toPath: kept)
    }
    let repetition = "--seed \(setting.seed) --state \(state) --record \(kept)"
    for problem in content.problems {
      outcome.add("inconsistent", "after entry \(cut): \(problem)", repetition: repetition)
    }
    if let problem {
      outcome.add(problem.kind, "after entry \(cut): \(problem.text)", repetition: repetition)
    }
    return outcome
  }
}
