import FiefTorture
import Foundation

/// Records the writes and synchronisations of the workload and builds what power cuts at any moment can leave of them: of its stores,
/// and of its backup, which is in the same directory.
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
    return try run(count: count, .none, try recordAll())
  }

  func control() throws -> ControlOutcome {
    let count = setting.effort.count(short: 40, command: 100, night: 200)
    let records = try recordAll()
    let found = try [RecordedDisk.Defect.noSynchronisation, Self.backupDefect].map { defect in
      var findings = try run(count: count, defect, records).findings
      // The stores are synchronised there.
      if defect == Self.backupDefect { findings.removeAll { !$0.kind.hasPrefix("backup ") } }
      return Set(findings.map(\.repetition)).count
    }
    return ControlOutcome(
      defect:
        "a disk that ignores all synchronisations, and a disk that ignores the synchronisation of a backup's files",
      // Each of the two has to be found.
      found: found.contains { $0 < max(1, count / 4) } ? 0 : found.reduce(0, +),
      runs: 2 * count,
      needed: count / 2
    )
  }

  /// A disk on which only the synchronisations of the files of the backup do nothing.
  private static let backupDefect = RecordedDisk.Defect.noSynchronisationBelow(TortureSteps.backupName)

  func runOnce() throws -> Outcome {
    guard let state = setting.arguments.number("state"), let path = setting.arguments.text("record") else {
      throw BrokenTest("a state has --seed, --state and --record")
    }
    return try look(at: state, try CallRecord(path), recordPath: path, .none, worker: 0)
  }

  // MARK: States

  /// A store knows its place, so that a worker builds its states where its record was made.
  private func recordAll() throws -> [CallRecord] {
    try (0..<setting.workers).map { try record(in: "\(setting.work)/run-\($0)") }
  }

  private func run(count: Int, _ defect: RecordedDisk.Defect, _ records: [CallRecord]) throws -> Outcome {
    try setting.forEach(Array(0..<count), unit: "states after a power cut") { state, worker in
      let path = "\(setting.work)/run-\(worker)-record"
      return try look(at: state, records[worker], recordPath: path, defect, worker: worker)
    }
  }

  private func record(in directory: String) throws -> CallRecord {
    try setting.fresh(directory)
    let path = "\(directory)-record"
    let child = try ChildRun(
      ["steps", directory],
      environment: ["LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory, "TORTURE_RECORD": path],
      output: "\(directory)-output",
      seconds: ChildRun.hangLimit
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
    let problems = states.problems(of: content, done: states.count, canBeDone: false)
    guard problems.isEmpty else {
      throw BrokenTest(
        "the record does not lead to what the workload has left: "
          + problems.map { "\($0.kind): \($0.text)" }.joined(separator: "; ")
      )
    }
    return record
  }

  /// The number of entries before the first one after which a state can show the defect.
  private func start(of record: CallRecord, _ defect: RecordedDisk.Defect) throws -> Int {
    guard defect == Self.backupDefect else { return 0 }
    let line = "done \(TortureSteps.backupStep)\n"
    let entry = record.entries.firstIndex {
      $0.operation == .printed && String(decoding: $0.data, as: UTF8.self) == line
    }
    guard let entry else { throw BrokenTest("the record has no backup that is done") }
    return entry
  }

  /// Builds the state of a number and looks at it.
  private func look(
    at state: Int,
    _ record: CallRecord,
    recordPath: String,
    _ defect: RecordedDisk.Defect,
    worker: Int
  ) throws -> Outcome {
    var random = TortureRandom(seed: setting.seed &* 1_000_003 &+ state)
    let first = try start(of: record, defect)
    let cut = first + 1 + random.next(record.entries.count - first)
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
    if StepStates.hasBackup(after: done) { outcome.counts["states whose backup was done"] = 1 }
    let problems = states.problems(of: content, done: done, canBeDone: true)
    guard !problems.isEmpty else { return outcome }
    // The names in a record are random, and another record has other entries.
    let kept = "\(setting.work)/finding-\(state)-record"
    if defect == .none, kept != recordPath {
      try? FileManager.default.removeItem(atPath: kept)
      try FileManager.default.copyItem(atPath: recordPath, toPath: kept)
    }
    let repetition = "--seed \(setting.seed) --state \(state) --record \(kept)"
    for problem in problems {
      outcome.add(problem.kind, "after entry \(cut): \(problem.text)", repetition: repetition)
    }
    return outcome
  }
}
