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
      let content = try Self.content(of: [directory], output: "\(work)/expected-content")[0]
      guard child.lines.count(where: { $0.hasPrefix("done ") }) == count, content.problems.isEmpty else {
        throw BrokenTest((child.lines + content.problems).joined(separator: "\n"))
      }
      return content.text
    }
  }

  /// What the stores of some directories have, opened one after the other by another process.
  ///
  /// A directory whose stores end the process has that as a problem; those after it are opened by the next process.
  static func content(of directories: [String], output: String) throws -> [(text: String, problems: [String])]
  {
    var contents: [(text: String, problems: [String])] = []
    while contents.count < directories.count {
      let rest = Array(directories[contents.count...])
      let child = try ChildRun(["content"] + rest, output: output, seconds: 30 + Double(rest.count))
      let parts = child.lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("directory ") }
        .dropFirst()
      for part in parts {
        contents.append(
          (
            part.filter { !$0.hasPrefix("problem ") }.joined(separator: "\n"),
            part.filter { $0.hasPrefix("problem ") }
          )
        )
      }
      guard child.end != .exited(0) else {
        guard parts.count == rest.count else { throw BrokenTest("the process showed \(parts.count) stores") }
        continue
      }
      guard !parts.isEmpty else { throw BrokenTest("the process ended with \(child.end): \(child.lines)") }
      contents[contents.count - 1].problems.append(
        "problem the check ended with \(child.end): \(child.lines.last ?? "")"
      )
    }
    return contents
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
