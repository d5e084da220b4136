import FiefTorture
import Foundation

/// The states that the stores of the workload have after each number of steps without faults, and the backup that one of them makes.
struct StepStates: Sendable {
  /// What a directory has, as the process says that opens its stores.
  struct Content: Sendable {
    /// All objects of the stores.
    var text = ""
    /// What is wrong with the stores, or with that process.
    var problems: [String] = []
    /// All objects of the backup; nil where there is none.
    var backup: String?
    /// What is wrong with the backup alone.
    var backupProblems: [String] = []
  }

  /// Something that a workload must not leave.
  struct Problem: Sendable {
    let kind: String
    let text: String
  }

  let texts: [String]
  /// All objects of the backup.
  let backup: String
  /// The number of steps.
  var count: Int { texts.count - 1 }

  init(work: String) throws {
    let directory = "\(work)/expected"
    let steps = TortureSteps(directory: directory).all.count
    let contents = try (0...steps).map { count in
      try? FileManager.default.removeItem(atPath: directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let child = try ChildRun(
        ["steps", directory, "--count", "\(count)"],
        output: "\(work)/expected-output",
        seconds: ChildRun.hangLimit
      )
      let content = try Self.content(of: directory, output: "\(work)/expected-content")
      let problems = content.problems + content.backupProblems
      guard child.lines.count(where: { $0.hasPrefix("done ") }) == count, problems.isEmpty else {
        throw BrokenTest((child.lines + problems).joined(separator: "\n"))
      }
      return content
    }
    texts = contents.map(\.text)
    // The steps before it have no backup, it has what the first store has, and the steps after it leave it as it is.
    let before = contents.prefix(TortureSteps.backupStep + 1)
    let after = contents.dropFirst(TortureSteps.backupStep + 1)
    guard let made = after.first, let backup = made.backup, made.text.hasPrefix("== first\n\(backup)\n=="),
      before.allSatisfy({ $0.backup == nil }), after.allSatisfy({ $0.backup == backup })
    else { throw BrokenTest("step \(TortureSteps.backupStep) does not make the backup of the first store") }
    self.backup = backup
  }

  /// What the stores of a directory and its backup have, opened by another process.
  static func content(of directory: String, output: String) throws -> Content {
    let child = try ChildRun(["content", directory], output: output, seconds: ChildRun.hangLimit)
    var content = Content()
    var lines: [String] = []
    var backup: [String]?
    for line in child.lines {
      if line.hasPrefix("problem ") {
        content.problems.append(line)
      } else if line.hasPrefix("backup-problem ") {
        content.backupProblems.append(line)
      } else if line == "== \(TortureSteps.backupName)" {
        backup = []
      } else if backup == nil {
        lines.append(line)
      } else {
        backup?.append(line)
      }
    }
    content.text = lines.joined(separator: "\n")
    content.backup = backup?.joined(separator: "\n")
    if child.end != .exited(0) {
      content.problems.append("the check ended with \(child.end): \(child.lines.last ?? "")")
    }
    return content
  }

  /// Compares what a directory has with what a workload that was cut off has to leave.
  /// - Parameters:
  ///   - done: the number of steps that were reported as done.
  ///   - canBeDone: whether the step after them may be done.
  /// - Returns: none where the stores and the backup are right.
  func problems(of content: Content, done: Int, canBeDone: Bool) -> [Problem] {
    var problems = content.problems.map { Problem(kind: "inconsistent", text: $0) }
    if let problem = problem(of: content.text, done: done, canBeDone: canBeDone) { problems.append(problem) }
    return problems + problemsOfBackup(content, done: done)
  }

  private func problem(of text: String, done: Int, canBeDone: Bool) -> Problem? {
    if text == texts[done] { return nil }
    guard done < count, text == texts[done + 1] else {
      let state =
        texts.firstIndex(of: text).map { "the state after \($0) steps" } ?? "no state of the workload"
      return Problem(kind: "lost", text: "\(done) steps were done, and the stores have \(state)")
    }
    return canBeDone ? nil : Problem(kind: "done though it failed", text: "")
  }

  /// Whether so many steps that were done have made the backup.
  static func hasBackup(after done: Int) -> Bool { done > TortureSteps.backupStep }

  private func problemsOfBackup(_ content: Content, done: Int) -> [Problem] {
    // A backup that was not reported as done may be anything; that reading it ends is in the problems of the stores.
    guard Self.hasBackup(after: done) else { return [] }
    guard let text = content.backup else {
      return [Problem(kind: "backup lost", text: "it was done, and is not there")]
    }
    if content.backupProblems.isEmpty, text != backup {
      return [Problem(kind: "backup wrong", text: "it does not have what its store had")]
    }
    return content.backupProblems.map { Problem(kind: "backup inconsistent", text: $0) }
  }
}
