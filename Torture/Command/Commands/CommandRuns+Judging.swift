import ChildProcesses
import FiefTorture
import Foundation

extension CommandRuns {
  /// Runs a command with its fault, the process after it with the second one, looks at what is there, and runs the command again.
  func run(_ fault: CommandFault, number: Int) throws -> (outcome: Outcome, lines: [String]) {
    let directory = try stores(for: fault.command, number: "\(number)")
    let place = "\(setting.work)/output-\(number)"
    var outcome = Outcome("runs of a command")
    outcome.runs = 1
    func add(_ kind: String, _ text: String) { outcome.add(kind, text, repetition: "\(fault)") }
    let child = try start(fault, in: directory, report: place + "-report", output: place)
    var isReached = Self.isReached(fault.first, child, report: place + "-report")
    if !isReached { outcome.counts["times the first fault was not reached"] = 1 }
    if !Self.isRight(child.end, isKilled: fault.isKilled) { add("\(child.end)", child.lines.last ?? "") }
    if fault.command.isReadOnly, !isUnchanged(fault.command, directory) {
      add("changed", "the file of the store has other bytes")
    }
    var lines = child.lines
    var last = child
    if let second = fault.second {
      let report = place + "-second-report"
      let again = try start(second, after: fault, in: directory, report: report, output: place + "-second")
      if CallFault.Report(report)?.hasFailed != true {
        isReached = false
        outcome.counts["times the second fault was not reached"] = 1
      }
      if !Self.isRight(again.end, isKilled: second.fault.mode == .kill) {
        add("\(again.end) of the second process", again.lines.last ?? "")
      }
      if second.isCommand {
        lines += again.lines
        last = again
      }
    }
    if isReached { outcome.counts[fault.nameOfCount] = 1 }
    try judge(fault, directory, lines, last, place, add)
    try runAgain(fault, directory, place, add)
    return (outcome, lines)
  }

  private static func isRight(_ end: ChildProcess.End, isKilled: Bool) -> Bool {
    isKilled ? end.isOfKilled : end == .exited(0)
  }

  /// Whether the process has met the fault.
  private static func isReached(_ first: CommandFault.First, _ child: ChildRun, report: String) -> Bool {
    switch first {
    case .call: CallFault.Report(report)?.hasFailed == true
    case .point(.kill, _): child.lines.contains { $0.hasPrefix("killed at ") }
    case .point(.throw, _): child.lines.contains { $0.hasPrefix("throws at ") }
    }
  }

  /// Whether the file of the store has the bytes with which the command has begun.
  private func isUnchanged(_ command: CommandProcess.Command, _ directory: String) -> Bool {
    let files = [start(of: command), directory].map {
      FileManager.default.contents(atPath: "\($0)/\(PlanRepository.name)/data.mdb")
    }
    return files[0] != nil && files[0] == files[1]
  }

  /// The store is as it was or as it is to be, and its backups are whole.
  /// - Parameter last: the last process that has run the command.
  private func judge(
    _ fault: CommandFault,
    _ directory: String,
    _ lines: [String],
    _ last: ChildRun,
    _ place: String,
    _ add: (String, String) -> Void
  ) throws {
    let content = try Self.content(of: directory, output: place + "-content")
    for problem in content.problems { add("inconsistent", problem) }
    let command = fault.command
    judgeMade(content, command, last, add)
    let (before, after) = (command.beginsMigrated ? new : old, command.endsMigrated ? new : old)
    guard content.text == before || content.text == after else {
      return add("neither old nor new", String(content.text.prefix { $0 != "\n" }))
    }
    let isDone = lines.contains("outcome 0")
    if isDone, content.text != after { add("lost", "it was reported as done") }
    let isOpen = fault.isKilled || fault.second != nil || lines.contains { $0.contains("unknownOutcome") }
    if !isOpen, !isDone, content.text != before { add("done though it failed", lines.last ?? "") }
    judgeBackups(content, command, add)
  }

  private func judgeBackups(
    _ content: Content,
    _ command: CommandProcess.Command,
    _ add: (String, String) -> Void
  ) {
    for backup in content.backups where backup.text != old && backup.text != new {
      add("a backup", "\(backup.name) is neither old nor new")
    }
    if command == .migrate, content.text == new, !content.backups.contains(where: { $0.text == old }) {
      add("a backup", "the store is migrated, and there is none of before")
    }
    if command.beginsMigrated, !content.backups.contains(where: { $0.text == old }) {
      add("a backup", "the one that was there is gone")
    }
  }

  /// A command that was done has left the backup that it has reported, with what the store had.
  private func judgeMade(
    _ content: Content,
    _ command: CommandProcess.Command,
    _ child: ChildRun,
    _ add: (String, String) -> Void
  ) {
    guard child.lines.last == "outcome 0" else { return }
    if command.reportsBackup {
      let names = Self.reportedBackups(child.lines)
      if names.isEmpty { add("a backup", "it was done, and its report has no backup") }
      for name in names where !content.backups.contains(where: { $0.name == name && $0.text == old }) {
        add("a backup", "\(name) was reported, and is not there with what the store had")
      }
    }
    guard command == .backupOpen else { return }
    for problem in content.madeProblems { add("a backup", problem) }
    guard let made = content.made else { return add("a backup", "the copy was made, and is not there") }
    if content.madeProblems.isEmpty, made != old {
      add("a backup", "the copy does not have what the store had")
    }
  }

  /// The names of backups in the documents that a command has written.
  private static func reportedBackups(_ lines: [String]) -> Set<String> {
    let texts = lines.filter { $0.hasPrefix("output ") }.flatMap { $0.split(separator: "\"") }
    // A name has a time and a version, as `20261121T163000.123Z-v2`; a path is none.
    return Set(texts.filter { $0.contains("Z-v") && !$0.contains("/") }.map(String.init))
  }

  /// Without faults the command does its work, or has nothing to do.
  private func runAgain(
    _ fault: CommandFault,
    _ directory: String,
    _ place: String,
    _ add: (String, String) -> Void
  ) throws {
    let command = fault.command
    let child = try ChildRun(
      ["command", directory, "--command", command.rawValue],
      output: place + "-again",
      seconds: ChildRun.hangLimit
    )
    guard child.end == .exited(0), ["outcome 0", "outcome 3"].contains(child.lines.last) else {
      return add("does not run again", child.lines.suffix(3).joined(separator: " "))
    }
    let content = try Self.content(of: directory, output: place + "-content")
    for problem in content.problems { add("inconsistent when it ran again", problem) }
    if content.text != (command.endsMigrated ? new : old) {
      add("wrong when it ran again", String(content.text.prefix { $0 != "\n" }))
    }
    judgeBackups(content, command, add)
    judgeMade(content, command, child, add)
  }
}
