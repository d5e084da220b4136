import ChildProcesses
import FiefTorture
import Foundation

/// A process that writes until the power of its disk is cut. What it reports after that is what a disk without power makes of it.
struct CutProcess {
  private let name: String
  private let child: RunningChild
  /// Whether it may be done before the cut.
  private let canEnd: Bool
  /// What it had printed, and whether it had ended, just before the cut.
  private var linesBefore: [String] = []
  private var hadEnded = false

  init(_ arguments: [String], environment: [String: String] = [:], output: String, canEnd: Bool) throws {
    try? FileManager.default.removeItem(atPath: output)
    name = arguments.filter { !$0.hasPrefix("/") }.joined(separator: " ")
    child = try RunningChild(arguments, environment: environment, output: output)
    self.canEnd = canEnd
  }

  /// Takes note of what it has done, just before the cut.
  mutating func note() throws {
    hadEnded = !child.isRunning
    linesBefore = try child.lines()
  }

  func kill() { if child.isRunning { child.kill() } }

  func wait() -> ChildProcess.End { child.wait(seconds: ChildRun.hangLimit) }

  /// Adds what it must not have done: a trap at any time, and before the cut all that is not its work.
  func judge(_ end: ChildProcess.End, _ outcome: inout Outcome, repetition: String) throws {
    let wrong = linesBefore.filter { line in
      ["wrong", "error", "failed", "stopped"].contains { line.hasPrefix($0) }
    }
    for line in wrong { outcome.add("before the cut", "\(name): \(line)", repetition: repetition) }
    switch end {
    case .signal(SIGKILL): break
    case .exited(let code) where !hadEnded || canEnd && code == 0: break
    case .signal(SIGBUS) where !hadEnded:
      // So the system answers where a page of a mapped file cannot be read any more.
      outcome.counts["processes that read a page of the file after the cut", default: 0] += 1
    case .hung: throw BrokenTest("\(name): the process does not end when it is killed")
    default:
      let text = "\(name), \(hadEnded ? "before" : "at") the cut: \(try lines().last ?? "")"
      outcome.add("\(end)", text, repetition: repetition)
    }
  }

  func lines() throws -> [String] { try child.lines() }

  /// For each thread of the process the number of its last write that was reported as done.
  func acknowledged() throws -> [String: Int] {
    try lines().reduce(into: [:]) { counts, line in
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "ack", let count = Int(words[2]) { counts[String(words[1])] = count }
    }
  }
}
