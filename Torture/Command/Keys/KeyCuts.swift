import FiefTorture
import Foundation

/// Power cuts while the key of a store is changed: the calls of one process for each change, and states that they can leave.
struct KeyCuts: Sendable {
  let runs: KeyRuns
  let preload: String
  private var setting: TortureSetting { runs.setting }

  init(_ runs: KeyRuns) throws {
    self.runs = runs
    preload = try runs.setting.preload("recording_calls")
  }

  /// Builds and looks at so many states of each change, on as many threads as there are workers.
  func run(
    count: Int,
    _ changes: [KeyChange],
    _ defect: RecordedDisk.Defect,
    from first: Int = 0
  ) throws -> Outcome {
    try setting.forEach(changes, unit: "changes of keys") { change, _ in
      let path = try record(change, defect)
      let record = try CallRecord(path)
      var outcome = Outcome("changes of keys")
      for number in first..<first + count {
        let state = setting.seed &* 1_000_003 &+ number
        outcome.add(try look(at: KeyFault(change, .cut(state, record: path)), record, state, defect).outcome)
      }
      return outcome
    }
  }

  func runOne(_ fault: KeyFault, state: Int, record path: String) throws -> (
    outcome: Outcome, lines: [String]
  ) {
    try look(at: fault, try CallRecord(path), state, .none)
  }

  /// Records the calls of a process that makes the stores and then changes the key.
  private func record(_ change: KeyChange, _ defect: RecordedDisk.Defect) throws -> String {
    let directory = "\(setting.work)/cut-\(change.rawValue)-\(defect)"
    try setting.fresh(directory)
    let path = "\(directory)-record"
    let child = try ChildRun(
      ["key-change", directory, "--change", change.rawValue, "--fills", "yes"],
      environment: ["LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory, "TORTURE_RECORD": path],
      output: "\(directory)-output",
      seconds: ChildRun.hangLimit
    )
    guard child.end == .exited(0), child.lines.last == "end" else {
      throw BrokenTest("the recorded change ended with \(child.end): \(child.lines)")
    }
    return path
  }

  /// Builds the state of a number, after a call that the change has made or one before it, and looks at it.
  private func look(at fault: KeyFault, _ record: CallRecord, _ state: Int, _ defect: RecordedDisk.Defect)
    throws
    -> (outcome: Outcome, lines: [String])
  {
    var random = TortureRandom(seed: state)
    let begin = record.entries.firstIndex {
      $0.operation == .printed && String(decoding: $0.data, as: UTF8.self).hasPrefix("begin 0")
    }
    guard let begin else { throw BrokenTest("the record has no beginning of the change") }
    let cut = begin + 1 + random.next(record.entries.count - begin)
    var disk = RecordedDisk(defect: defect)
    for entry in record.entries.prefix(cut) { try disk.apply(entry) }
    guard !disk.root.isEmpty else { throw BrokenTest("the record has no directory") }
    try setting.fresh(disk.root)
    try disk.writeCrashState(to: disk.root, &random)
    let lines = disk.printed.split(separator: "\n").map(String.init)
    let process = KeyRuns.Ended(lines: lines, end: .signal(SIGKILL), report: nil)
    return try runs.judge(fault, process, in: disk.root, output: disk.root + "-judged")
  }
}
