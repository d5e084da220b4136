import FiefTorture
import Foundation

/// Runs of commands with faults, each on a copy of the same stores, and what the stores have to have afterwards.
struct CommandRuns: Sendable {
  struct Content {
    var text = ""
    var backups: [(name: String, text: String)] = []
    var problems: [String] = []
    /// The copy that the library makes; nil where there is none.
    var made: String?
    /// What is wrong with that copy alone.
    var madeProblems: [String] = []
  }

  let setting: TortureSetting
  let preload: String
  /// The content of the store before the migration and after it.
  let old: String
  let new: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
    let child = try ChildRun(
      ["command-stores", setting.work],
      output: "\(setting.work)/stores-output",
      seconds: ChildRun.hangLimit
    )
    let contents = try ["old", "new"].map {
      try Self.content(of: "\(setting.work)/\($0)", output: "\(setting.work)/stores-content")
    }
    (old, new) = (contents[0].text, contents[1].text)
    guard child.lines.last == "outcome 0", contents.allSatisfy({ $0.problems.isEmpty }),
      old.hasPrefix("version 1\n"), new.hasPrefix("version 4\n"), contents[1].backups.map(\.text) == [old]
    else { throw BrokenTest((child.lines + contents.flatMap(\.problems)).joined(separator: "\n")) }
  }

  func runAll(_ faults: [CommandFault]) throws -> Outcome {
    try setting.forEach(faults, unit: "runs of a command") { try run($0, number: $1).outcome }
  }
}
