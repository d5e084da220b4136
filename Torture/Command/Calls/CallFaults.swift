import FiefTorture
import Foundation

/// Steps through the system calls of the workload and lets each fail; then looks at what the stores and the backup have.
struct CallFaults: TortureTest {
  static let name = "calls"

  let setting: TortureSetting
  let preload: String
  private let states: StepStates

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
    states = try StepStates(work: setting.work)
  }

  /// Codes of errors that say that a write may be done, or will be.
  private static let open = ["unknownOutcome", "unfinishedWrite"]

  // MARK: The test

  func run() throws -> Outcome {
    let stride = setting.arguments.number("stride") ?? setting.effort.stride(short: 40, command: 7)
    guard stride > 0 else { throw BrokenTest("--stride is positive") }
    say("calls: seed \(setting.seed), stride \(stride)")
    var random = TortureRandom(seed: setting.seed)
    var faults: [CallFault] = []
    // The last call of each kind of failure.
    var last: [CallFault] = []
    for error in CallFault.errors {
      let total = try numberOfCalls(error.code)
      say("calls: \(error.name) can end \(total) calls of the workload")
      for mode in [CallFault.Mode.once, .ever] where mode == .once || error.code != EINTR {
        var fault = CallFault(error: error.code, mode: mode, call: 1 + setting.seed % stride - stride)
        while fault.call + stride <= total {
          fault.call += stride
          for attempts in Self.attempts(stride, &random) {
            fault.attempts = attempts
            faults.append(fault)
          }
        }
        last.append(fault)
      }
    }
    let total = try numberOfCalls(EIO, .kill)
    say(
      "calls: a kill can precede each of \(total) calls; the process that opens the stores afterwards is killed, too"
    )
    var killed = CallFault(error: EIO, mode: .kill, call: 1 + setting.seed % stride - stride)
    while killed.call + stride <= total {
      killed.call += stride
      faults.append(killed)
      var twice = killed
      let call = 1 + (killed.call &* 7919 &+ setting.seed) % 40
      twice.recovery = CallFault.Recovery(error: EIO, mode: .kill, call: call)
      faults.append(twice)
    }
    last.append(killed)
    var outcome = try runAll(faults)
    try outcome.add { try setting.forEach(last, unit: "runs of the workload") { try stepOn($0, stride, $1) } }
    return outcome
  }

  /// Goes on behind the last call until a run passes: not each run makes as many calls as the one that has counted them.
  private func stepOn(_ last: CallFault, _ stride: Int, _ number: Int) throws -> Outcome {
    var (fault, outcome) = (last, Outcome("runs of the workload"))
    for _ in 0..<200 {
      fault.call += stride
      let (more, report, _) = try run(fault, number: number)
      outcome.add(more)
      // Without a report it has ended in a way that is a finding.
      if report?.hasFailed != true { return outcome }
    }
    outcome.add("no end", "the workload makes more calls than were counted", repetition: "\(fault)")
    return outcome
  }

  /// How often a step is tried, in one run or in two. A failure is followed by the step again, which has to make it good where the failure
  /// happens once, or by nothing, which shows what the failure itself has left.
  private static func attempts(_ stride: Int, _ random: inout TortureRandom) -> [Int] {
    let first = random.next(2) == 0 ? 1 : 3
    return stride == 1 ? [1, 3] : [first]
  }

  func control() throws -> ControlOutcome {
    let total = try numberOfCalls(EIO, .swallow)
    let faults = stride(from: 2, to: total, by: max(1, total / 20)).map {
      CallFault(error: EIO, mode: .swallow, call: $0)
    }
    let found = Set(try runAll(faults).findings.map(\.repetition)).count
    // The library itself finds some of them, and ends the step with an error.
    return ControlOutcome(
      defect: "writes that report success and write nothing",
      found: found,
      runs: faults.count,
      needed: faults.count / 4
    )
  }

  func runOnce() throws -> Outcome {
    let (outcome, report, lines) = try run(try CallFault(setting.arguments), number: 0)
    lines.forEach { say($0) }
    say("the failing call: \(report?.name ?? "unknown"), of \(report?.calls ?? 0)")
    return outcome
  }

  // MARK: Runs

  private func runAll(_ faults: [CallFault]) throws -> Outcome {
    try setting.forEach(faults, unit: "runs of the workload") { try run($0, number: $1).outcome }
  }

  /// Runs the workload with a fault, opens its stores with the second one, and looks at what they have.
  /// - Parameter defect: that of the process that opens the stores.
  func run(_ fault: CallFault, number: Int, defect: StoreContent.Defect? = nil) throws
    -> (outcome: Outcome, report: CallFault.Report?, lines: [String])
  {
    let (directory, report) = ("\(setting.work)/run-\(number)", "\(setting.work)/report-\(number)")
    let child = try work(fault, in: directory, report: report, output: "\(setting.work)/output-\(number)")
    let end = CallFault.Report(report)
    var outcome = Outcome("runs of the workload")
    outcome.runs = 1
    if let end {
      let name = end.hasFailed ? "runs in which \(end.name) failed" : "runs in which no call was left to fail"
      outcome.counts[name] = 1
    }
    func add(_ kind: String, _ text: String) { outcome.add(kind, text, repetition: "\(fault)") }
    if let recovery = fault.recovery {
      let (end, report) = try recover(directory, recovery, number, defect)
      if report?.hasFailed != true { outcome.counts["times the second fault was not reached"] = 1 }
      if end != .exited(0), end != .signal(SIGKILL) || recovery.mode != .kill {
        add("the opening: \(end)", "")
      }
    }
    let content = try StepStates.content(of: directory, output: "\(setting.work)/content-\(number)")
    switch child.end {
    case .exited(0):
      // A step that fails once is tried again, and once more with the stores opened again.
      if fault.mode == .once, fault.attempts > 2, child.lines.last != "end" {
        add("does not recover", child.lines.last { $0.hasPrefix("failed ") } ?? child.lines.last ?? "")
      }
    case .signal(SIGKILL) where fault.mode == .kill: break
    case .exited(let code): add("exit \(code)", child.lines.last ?? "")
    case .signal(let signal): add("signal \(signal)", child.lines.last ?? "")
    case .hung: add("hang", child.lines.last ?? "")
    case .lost: add("unknown end", child.lines.last ?? "")
    }
    let done = child.lines.count { $0.hasPrefix("done ") }
    // Each time that the step was tried.
    let failed = child.lines.filter { $0.hasPrefix("failed \(done) ") }
    // The creation of a store may leave an empty one, which the next opening completes.
    let canBeDone =
      failed.isEmpty || failed.contains { line in Self.open.contains { line.contains($0) } }
      || done < TortureSteps.creations
    for problem in states.problems(of: content, done: done, canBeDone: canBeDone) {
      add(problem.kind, problem.text + (failed.last.map { " (\($0))" } ?? ""))
    }
    if StepStates.hasBackup(after: done) { outcome.counts["runs whose backup was done"] = 1 }
    return (outcome, end, child.lines)
  }
}
