import FiefTorture
import Foundation

extension CommandRuns {
  /// What the store of a directory and its backups have, read by another process.
  static func content(of directory: String, output: String) throws -> Content {
    let child = try ChildRun(["command-content", directory], output: output, seconds: ChildRun.hangLimit)
    var content = Content()
    if child.end != .exited(0) {
      content.problems.append("the check ended with \(child.end): \(child.lines.last ?? "")")
    }
    var lines: [String] = []
    var name: String?
    var isMade = false
    for line in child.lines {
      if line.hasPrefix("problem ") {
        content.problems.append(line)
      } else if line.hasPrefix("made-problem ") {
        content.madeProblems.append(line)
      } else if line.hasPrefix("backup ") {
        name = String(line.dropFirst(7))
      } else if line == "made" {
        // The last of them.
        isMade = true
      } else if line == "end" {
        let text = lines.joined(separator: "\n")
        if isMade {
          content.made = text
        } else if let name {
          content.backups.append((name, text))
        } else {
          content.text = text
        }
        lines = []
      } else {
        lines.append(line)
      }
    }
    return content
  }

  /// The number of calls of a command that a fault can meet, and those of its points.
  func counts(
    _ command: CommandProcess.Command,
    _ mode: CallFault.Mode = .kill,
    _ defect: CommandProcess.Defect? = nil
  ) throws -> (calls: Int, points: Int, throwing: Int) {
    let directory = try stores(for: command, number: "count")
    let report = "\(setting.work)/count-report"
    var fault = CommandFault(command, .call(CallFault(error: EIO, mode: mode, call: 0)))
    fault.defect = defect
    let child = try start(fault, in: directory, report: report, output: "\(setting.work)/count-output")
    let points = child.lines.last { $0.hasPrefix("points ") }?.split(separator: " ").compactMap { Int($0) }
    guard let calls = CallFault.Report(report)?.calls, let points, points.count == 2,
      child.lines.last == "outcome 0"
    else { throw BrokenTest("\(command.rawValue) fails: \(child.lines.joined(separator: "\n"))") }
    return (calls, points[0], points[1])
  }

  /// The directory of the stores that a command begins with.
  func start(of command: CommandProcess.Command) -> String {
    "\(setting.work)/\(command.beginsMigrated ? "new" : "old")"
  }

  /// A directory with a copy of them.
  func stores(for command: CommandProcess.Command, number: String) throws -> String {
    let directory = "\(setting.work)/run-\(number)"
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.copyItem(atPath: start(of: command), toPath: directory)
    return directory
  }

  /// Runs the command with the first of its faults.
  func start(_ fault: CommandFault, in directory: String, report: String, output: String) throws -> ChildRun {
    var arguments = ["command", directory, "--command", fault.command.rawValue]
    var environment: [String: String] = [:]
    switch fault.first {
    case .point(let kind, let number): arguments += ["--fault", kind.rawValue, "--at", "\(number)"]
    case .call(let call):
      environment = call.environment(preload: preload, directory: directory, report: report)
    }
    if let defect = fault.defect { arguments += ["--defect", defect.rawValue] }
    try? FileManager.default.removeItem(atPath: report)
    return try ChildRun(arguments, environment: environment, output: output, seconds: ChildRun.hangLimit)
  }

  /// Runs what comes after it, with the second fault.
  func start(
    _ second: CommandFault.Second,
    after fault: CommandFault,
    in directory: String,
    report: String,
    output: String
  ) throws -> ChildRun {
    var arguments = ["command-content", directory]
    if second.isCommand { arguments = ["command", directory, "--command", fault.command.rawValue] }
    if let defect = second.defect { arguments += ["--defect", defect.rawValue] }
    try? FileManager.default.removeItem(atPath: report)
    return try ChildRun(
      arguments,
      environment: second.fault.environment(preload: preload, directory: directory, report: report),
      output: output,
      seconds: ChildRun.hangLimit
    )
  }

  /// The number of calls that the second fault can meet.
  func numberOfCalls(_ second: CommandFault.Second, after fault: CommandFault, number: Int) throws -> Int {
    let directory = try stores(for: fault.command, number: "\(number)")
    let place = "\(setting.work)/output-\(number)"
    _ = try start(fault, in: directory, report: place + "-report", output: place)
    var counting = second
    counting.fault.call = 0
    _ = try start(counting, after: fault, in: directory, report: place + "-report", output: place)
    return CallFault.Report(place + "-report")?.calls ?? 0
  }
}
