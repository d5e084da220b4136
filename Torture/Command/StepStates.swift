import FiefTorture
import Foundation

/// The states that the stores of the workload have after each number of steps without faults.
struct StepStates: Sendable {
  let texts: [String]
  /// The number of steps.
  var count: Int { texts.count - 1 }

  init(work: String) throws {
    let directory = "\(work)/expected"
    let steps = TortureSteps(directory: directory).all.count
    texts = try (0...steps).map { count in
      try? FileManager.default.removeItem(atPath: directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let child = try ChildRun(
        ["steps", directory, "--count", "\(count)"],
        output: "\(work)/expected-output",
        seconds: 60
      )
      let content = try Self.content(of: directory, output: "\(work)/expected-content")
      guard child.lines.count(where: { $0.hasPrefix("done ") }) == count, content.problems.isEmpty else {
        throw BrokenTest((child.lines + content.problems).joined(separator: "\n"))
      }
      return content.text
    }
  }

  /// What the stores of a directory have, opened by another process.
  static func content(of directory: String, output: String) throws -> (text: String, problems: [String]) {
    let child = try ChildRun(["content", directory], output: output, seconds: 60)
    var problems = child.lines.filter { $0.hasPrefix("problem ") }
    if child.end != .exited(0) {
      problems.append("the check ended with \(child.end): \(child.lines.last ?? "")")
    }
    return (child.lines.filter { !$0.hasPrefix("problem ") }.joined(separator: "\n"), problems)
  }

  /// Compares what the stores have with what a workload that was cut off has to leave.
  /// - Parameters:
  ///   - done: the number of steps that were reported as done.
  ///   - canBeDone: whether the step after them may be done.
  /// - Returns: the kind of the finding and its text; nil where the stores are right.
  func problem(of text: String, done: Int, canBeDone: Bool) -> (kind: String, text: String)? {
    if text == texts[done] { return nil }
    guard done < count, text == texts[done + 1] else {
      let state =
        texts.firstIndex(of: text).map { "the state after \($0) steps" } ?? "no state of the workload"
      return ("lost", "\(done) steps were done, and the stores have \(state)")
    }
    return canBeDone ? nil : ("done though it failed", "")
  }
}
