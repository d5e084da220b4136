import ChildProcesses
import FiefTorture
import Foundation

extension CallFaults {
  /// Runs the workload, or its first steps, with a fault.
  func work(
    _ fault: CallFault,
    in directory: String,
    report: String,
    output: String,
    steps: Int? = nil
  ) throws -> ChildRun {
    try setting.fresh(directory)
    try? FileManager.default.removeItem(atPath: report)
    return try ChildRun(
      ["steps", directory, "--attempts", "\(fault.attempts)"] + (steps.map { ["--count", "\($0)"] } ?? []),
      environment: fault.environment(preload: preload, directory: directory, report: report),
      output: output,
      seconds: ChildRun.hangLimit
    )
  }

  /// Opens the stores with a fault.
  func recover(
    _ directory: String,
    _ fault: CallFault.Recovery,
    _ number: Int,
    _ defect: StoreContent.Defect? = nil
  ) throws -> (end: ChildProcess.End, report: CallFault.Report?) {
    let report = "\(setting.work)/recovery-report-\(number)"
    try? FileManager.default.removeItem(atPath: report)
    let child = try ChildRun(
      ["open", directory] + (defect.map { ["--defect", $0.rawValue] } ?? []),
      environment: CallFault(error: fault.error, mode: fault.mode, call: fault.call)
        .environment(preload: preload, directory: directory, report: report),
      output: "\(setting.work)/recovery-output-\(number)",
      seconds: ChildRun.hangLimit
    )
    return (child.end, CallFault.Report(report))
  }

  /// The number of calls that a fault can meet in the workload, or in its first steps.
  func numberOfCalls(_ error: Int32, _ mode: CallFault.Mode = .once, steps: Int? = nil) throws -> Int {
    let report = "\(setting.work)/count-report"
    _ = try work(
      CallFault(error: error, mode: mode, call: 0),
      in: "\(setting.work)/count",
      report: report,
      output: "\(setting.work)/count-output",
      steps: steps
    )
    guard let calls = CallFault.Report(report)?.calls, calls > 0 else {
      throw BrokenTest("the preloaded library counted no calls")
    }
    return calls
  }

  /// The number of calls that the second fault can meet.
  func numberOfRecoveryCalls(_ fault: CallFault, _ second: CallFault.Recovery, number: Int) throws -> Int {
    let directory = "\(setting.work)/run-\(number)"
    _ = try work(
      fault,
      in: directory,
      report: "\(setting.work)/report-\(number)",
      output: "\(setting.work)/output-\(number)"
    )
    let counting = CallFault.Recovery(error: second.error, mode: second.mode, call: 0)
    return try recover(directory, counting, number).report?.calls ?? 0
  }
}
