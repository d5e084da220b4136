import FiefTorture
import Foundation
import LMDB

/// Steps through the system calls of the workload and lets each fail; then looks at what the stores have.
struct CallFaults: Sendable {
  private let preload: String
  private let work: String
  private let arguments: Arguments
  private let stepCount: Int

  init(_ arguments: Arguments) throws {
    guard let preload = arguments.text("preload"), let work = arguments.text("work") else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.arguments = arguments
    self.preload = preload
    self.work = work
    stepCount = TortureSteps(directory: work).all.count
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
  }

  /// Codes of errors that say that a write may be done, or will be.
  private static let open = ["unknownOutcome", "unfinishedWrite"]

  /// A finding, with what repeats it.
  private struct Finding: Sendable {
    let kind: String
    let fault: CallFault
    let text: String
  }

  private struct Tally: Sendable {
    var runs = 0
    var calls: [String: Int] = [:]
    var findings: [Finding] = []
  }

  // MARK: The whole test

  func run() throws -> Bool {
    let stride = max(1, arguments.number("stride") ?? 1)
    let seed = arguments.number("seed") ?? Int.random(in: 0..<1_000_000)
    let states = try expectedStates()
    var faults: [CallFault] = []
    for error in CallFault.errors {
      let total = try numberOfCalls(error.code)
      say("calls: \(error.name) can end \(total) calls of the workload")
      for mode in [CallFault.Mode.once, .ever] where mode == .once || error.code != EINTR {
        for call in Swift.stride(from: 1 + seed % stride, through: total, by: stride) {
          faults.append(CallFault(error: error.code, mode: mode, call: call, attempts: mode == .once ? 3 : 1))
        }
      }
    }
    let total = try numberOfCalls(EIO, .kill)
    say(
      "calls: the process can be killed before \(total) calls, and the one that opens the stores after it, too"
    )
    for call in Swift.stride(from: 1 + seed % stride, through: total, by: stride) {
      faults.append(CallFault(error: EIO, mode: .kill, call: call))
      faults.append(
        CallFault(error: EIO, mode: .kill, call: call, recoveryCall: 1 + (call &* 7919 &+ seed) % 40)
      )
    }
    let tally = try runAll(faults, states)
    for name in tally.calls.keys.sorted() {
      say("calls: \(tally.calls[name] ?? 0) runs in which \(name) failed")
    }
    for finding in tally.findings {
      say("calls: \(finding.kind): \(finding.text)\n  repeat: Torture/run --only call \(finding.fault)")
    }
    let kinds = Dictionary(grouping: tally.findings, by: \.kind).mapValues(\.count)
    say(
      "calls: seed \(seed), stride \(stride): \(tally.runs) runs, \(tally.findings.count) findings \(kinds)"
    )
    return try control(states) && tally.findings.isEmpty
  }

  /// Writes that report success and write nothing have to be found.
  private func control(_ states: [String]) throws -> Bool {
    let total = try numberOfCalls(EIO, .swallow)
    let faults = stride(from: 2, to: total, by: max(1, total / 20)).map {
      CallFault(error: EIO, mode: .swallow, call: $0)
    }
    let tally = try runAll(faults, states)
    let found = Set(tally.findings.map(\.fault.call)).count
    say("calls: control, swallowed writes: found in \(found) of \(faults.count) runs")
    // The library itself finds some of them, and ends the step with an error.
    return found * 4 >= faults.count
  }

  /// Repeats one run, and shows all of it.
  func runOne() throws -> Bool {
    let name = arguments.text("error") ?? "EIO"
    let fault = CallFault(
      error: CallFault.errors.first { $0.name == name }?.code ?? EIO,
      mode: CallFault.Mode(rawValue: arguments.text("mode") ?? "") ?? .once,
      call: arguments.number("call") ?? 1,
      attempts: arguments.number("attempts") ?? 1,
      recoveryCall: arguments.number("recovery") ?? 0
    )
    let (findings, report, lines) = try run(fault, number: 0, try expectedStates())
    lines.forEach { say($0) }
    say("the failing call: \(report?.name ?? "unknown"), of \(report?.calls ?? 0)")
    for finding in findings { say("\(finding.kind): \(finding.text)") }
    return findings.isEmpty
  }

  // MARK: Runs

  private func runAll(_ faults: [CallFault], _ states: [String]) throws -> Tally {
    let tally = OwnedLock(Tally())
    let failure = OwnedLock<(any Error)?>(nil)
    let next = OwnedLock(0)
    let workers = max(1, arguments.number("workers") ?? ProcessInfo.processInfo.activeProcessorCount)
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      while true {
        let index = next.withLock { index in
          defer { index += 1 }
          return index
        }
        guard index < faults.count else { return }
        do {
          let (findings, report, _) = try run(faults[index], number: worker, states)
          tally.withLock {
            $0.runs += 1
            $0.findings += findings
            if let report, report.hasFailed { $0.calls[report.name, default: 0] += 1 }
          }
        } catch {
          failure.withLock { $0 = error }
          return
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return tally.withLock { $0 }
  }

  private func run(_ fault: CallFault, number: Int, _ states: [String]) throws
    -> (findings: [Finding], report: CallFault.Report?, lines: [String])
  {
    let directory = "\(work)/run-\(number)"
    let report = "\(work)/report-\(number)"
    try fresh(directory)
    try? FileManager.default.removeItem(atPath: report)
    let child = try ChildRun(
      ["steps", directory, "--attempts", "\(fault.attempts)"],
      environment: environment(fault, directory, report),
      output: "\(work)/output-\(number)",
      seconds: 60
    )
    if fault.recoveryCall > 0 {
      let recovery = CallFault(error: fault.error, mode: .kill, call: fault.recoveryCall)
      _ = try ChildRun(
        ["open", directory],
        environment: environment(recovery, directory, "\(work)/recovery-\(number)"),
        output: "\(work)/recovery-output-\(number)",
        seconds: 60
      )
    }
    let content = try content(of: directory, number: number)
    var findings: [Finding] = []
    func add(_ kind: String, _ text: String) {
      findings.append(Finding(kind: kind, fault: fault, text: text))
    }
    switch child.end {
    case .exited(0): break
    case .signal(SIGKILL) where fault.mode == .kill: break
    case .exited(let code): add("exit \(code)", child.lines.last ?? "")
    case .signal(let signal): add("signal \(signal)", child.lines.last ?? "")
    case .hung: add("hang", child.lines.last ?? "")
    }
    for problem in content.problems { add("inconsistent", problem) }
    let done = child.lines.count { $0.hasPrefix("done ") }
    let failed = child.lines.last { $0.hasPrefix("failed \(done) ") }
    if content.text != states[done] {
      let isNext = done < stepCount && content.text == states[done + 1]
      if !isNext {
        let same =
          states.firstIndex(of: content.text).map { "the state after \($0) steps" }
          ?? "no state of the workload"
        add("lost", "\(done) steps were done, and the stores have \(same)")
      } else if let failed, !Self.open.contains(where: failed.contains), done >= TortureSteps.creations {
        add("done though it failed", failed)
      }
    }
    return (findings, CallFault.Report(report), child.lines)
  }

  private func environment(_ fault: CallFault, _ directory: String, _ report: String) -> [String: String] {
    [
      "LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory, "TORTURE_CALL": "\(fault.call)",
      "TORTURE_ERROR": "\(fault.error)", "TORTURE_MODE": fault.mode.rawValue, "TORTURE_REPORT": report,
    ]
  }

  private func fresh(_ directory: String) throws {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  private func content(of directory: String, number: Int) throws -> (text: String, problems: [String]) {
    let child = try ChildRun(["content", directory], output: "\(work)/content-\(number)", seconds: 60)
    var problems = child.lines.filter { $0.hasPrefix("problem ") }
    if child.end != .exited(0) {
      problems.append("the check ended with \(child.end): \(child.lines.last ?? "")")
    }
    return (child.lines.filter { !$0.hasPrefix("problem ") }.joined(separator: "\n"), problems)
  }

  /// What the stores have after each number of steps without faults.
  private func expectedStates() throws -> [String] {
    try (0...stepCount).map { count in
      let directory = "\(work)/expected"
      try fresh(directory)
      let child = try ChildRun(
        ["steps", directory, "--count", "\(count)"],
        output: "\(work)/expected-output",
        seconds: 60
      )
      let content = try content(of: directory, number: 0)
      guard child.lines.count(where: { $0.hasPrefix("done ") }) == count, content.problems.isEmpty else {
        say((child.lines + content.problems).joined(separator: "\n"))
        throw CocoaError(.featureUnsupported)
      }
      return content.text
    }
  }

  private func numberOfCalls(_ error: Int32, _ mode: CallFault.Mode = .once) throws -> Int {
    let directory = "\(work)/count"
    try fresh(directory)
    let fault = CallFault(error: error, mode: mode, call: 0)
    _ = try ChildRun(
      ["steps", directory],
      environment: environment(fault, directory, "\(work)/count-report"),
      output: "\(work)/count-output",
      seconds: 60
    )
    return CallFault.Report("\(work)/count-report")?.calls ?? 0
  }
}
