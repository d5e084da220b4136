import ChildProcesses
import FiefTorture
import Foundation

/// Runs of changes of a key with faults, each on a copy of the same stores.
struct KeyRuns: Sendable {
  let setting: TortureSetting
  let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
    let child = try ChildRun(
      ["key-stores", setting.work],
      output: "\(setting.work)/stores-output",
      seconds: ChildRun.hangLimit
    )
    guard child.lines == ["end"] else { throw BrokenTest(child.lines.joined(separator: "\n")) }
  }

  func runAll(_ faults: [KeyFault]) throws -> Outcome {
    try setting.forEach(faults, unit: "changes of keys") { try run($0, number: $1).outcome }
  }

  func runOne(_ fault: KeyFault) throws -> (outcome: Outcome, lines: [String]) {
    switch fault.kind {
    case .time, .call: try run(fault, number: 0)
    case .disk: try onSmallDisk { try run(fault, number: 0, in: $0) }
    case .cut(let state, let record): try KeyCuts(self).runOne(fault, state: state, record: record)
    }
  }

  /// The number of calls of a change, and its time in microseconds.
  func extent(
    of change: KeyChange,
    _ error: Int32? = nil,
    defect: KeyFault.Defect? = nil
  ) throws -> (calls: Int, time: Int) {
    let counting = CallFault(error: error ?? EIO, mode: error == nil ? .kill : .once, call: 0)
    let fault = KeyFault(change, .call(counting), defect)
    let directory = try stores(for: change, in: "\(setting.work)/run-extent")
    let process = try start(fault, in: directory, place: "\(setting.work)/extent")
    let took = process.lines.first { $0.hasPrefix("took ") }?.split(separator: " ").last.flatMap { Int($0) }
    guard let calls = process.report?.calls, let took, process.lines.last == "end" else {
      throw BrokenTest("\(change.rawValue) fails: \(process.lines.joined(separator: "\n"))")
    }
    return (calls, took)
  }

  // MARK: One run

  /// Runs a change with its fault, and looks at what is there.
  ///
  /// - Parameter place: the directory of the stores; nil for one of the worker.
  func run(_ fault: KeyFault, number: Int, in place: String? = nil) throws -> (
    outcome: Outcome, lines: [String]
  ) {
    let output = "\(setting.work)/output-\(number)"
    let directory = try stores(for: fault.change, in: place ?? "\(setting.work)/run-\(number)")
    let process = try start(fault, in: directory, place: output)
    return try judge(fault, process, in: directory, output: output)
  }

  /// Looks at what a process has left, with the process that opens the stores next.
  func judge(_ fault: KeyFault, _ process: Ended, in directory: String, output: String) throws
    -> (outcome: Outcome, lines: [String])
  {
    var judgement = KeyJudgement(fault, process)
    judgement.look(before: try MarkedFiles(below: directory))
    let lines = process.lines.count
    if fault.isKill, lines % 4 == 0 {
      // The process that completes what was cut off is killed, too.
      let opening = try RunningChild(["key-content", directory], output: output + "-opening")
      usleep(UInt32(10_000 + 3_000 * (lines % 7)))
      opening.kill()
      let end = opening.wait(seconds: ChildRun.hangLimit)
      if !end.isOfKilled { judgement.addOpening(end, try opening.lines().last ?? "") }
    }
    let content = try ChildRun(
      ["key-content", directory, "--reversed", lines % 2 == 0 ? "yes" : "no"],
      output: output + "-content",
      seconds: ChildRun.hangLimit
    )
    judgement.look(at: content)
    judgement.look(after: try MarkedFiles(below: directory))
    return (judgement.outcome, process.lines + content.lines)
  }

  /// A process that has changed a key.
  struct Ended {
    let lines: [String]
    let end: ChildProcess.End
    let report: CallFault.Report?
  }

  private func start(_ fault: KeyFault, in directory: String, place: String) throws -> Ended {
    var arguments = ["key-change", directory, "--change", fault.change.rawValue]
    if let defect = fault.defect { arguments += ["--defect", defect.rawValue] }
    let report = place + "-report"
    for path in [place, report] { try? FileManager.default.removeItem(atPath: path) }
    var environment: [String: String] = [:]
    if case .disk(let left) = fault.kind {
      // The process removes it after the change.
      try Self.fillDisk("\(directory)-ballast", leaving: left)
      arguments += ["--ballast", "\(directory)-ballast"]
    }
    if case .call(let call) = fault.kind {
      environment = call.environment(preload: preload, directory: directory, report: report)
      environment["TORTURE_WAITS"] = "1"
    }
    let child = try RunningChild(arguments, environment: environment, output: place)
    if case .time(let time) = fault.kind {
      let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit)
      while child.isRunning, try !child.lines().contains("begin 0") {
        guard .now < limit else {
          child.kill()
          _ = child.wait(seconds: ChildRun.hangLimit)
          return Ended(lines: try child.lines(), end: .hung, report: nil)
        }
        usleep(200)
      }
      usleep(UInt32(time))
      child.kill()
    }
    let end = child.wait(seconds: ChildRun.hangLimit)
    // The last line of a process that was killed may be cut off.
    let text = String(decoding: try Data(contentsOf: URL(filePath: place)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    return Ended(lines: lines, end: end, report: CallFault.Report(report))
  }

  /// Makes a directory with the stores that a change begins with.
  private func stores(for change: KeyChange, in directory: String) throws -> String {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.copyItem(atPath: "\(setting.work)/\(change.former)", toPath: directory)
    return directory
  }
}
