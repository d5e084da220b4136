import FiefTorture
import Foundation

/// Asks stores of random schemas random queries: with indexes, without, and in plain Swift the answers are the same.
struct Queries: TortureTest {
  static let name = "queries"
  static let roles: [String: Role] = ["query": { try QueryProcess.run($0) }]

  /// The queries of a seed.
  private static let size = 100

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    let count = setting.effort.count(short: 20, command: 300, night: 10_000)
    say("queries: seeds from \(setting.seed)")
    return try setting.forEach(Array(0..<count), unit: "random schemas") {
      try run(seed: setting.seed &+ $0, number: $1)
    }
  }

  func runOnce() throws -> Outcome {
    try run(seed: setting.seed, number: 0, isShown: true)
  }

  func control() throws -> ControlOutcome {
    let runs = 6
    let outcome = try setting.forEach(Array(0..<runs), unit: "random schemas") {
      try run(seed: setting.seed &+ $0, number: $1, isBent: true)
    }
    return ControlOutcome(
      defect: "a plain evaluation that takes <= for <",
      found: Set(outcome.findings.map(\.repetition)).count,
      runs: runs,
      needed: runs / 2
    )
  }

  private func run(seed: Int, number: Int, isBent: Bool = false, isShown: Bool = false) throws -> Outcome {
    let directory = "\(setting.work)/stores-\(number)"
    try setting.fresh(directory)
    let child = try ChildRun(
      [
        "query", directory, "--seed", "\(seed)", "--queries", "\(setting.arguments.number("queries") ?? Self.size)",
        "--bent", isBent ? "yes" : "no", "--shown", isShown ? "yes" : "no",
      ],
      output: "\(setting.work)/output-\(number)",
      seconds: 120
    )
    var outcome = Outcome("random schemas")
    outcome.runs = 1
    if isShown { child.lines.forEach { say($0) } }
    for line in child.lines {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count == 3, words[0] == "wrong" {
        outcome.add(String(words[1]), String(words[2]), repetition: "--seed \(seed)")
      }
      if words.count == 3, words[0] == "count" { outcome.counts[String(words[2])] = Int(words[1]) }
    }
    if child.end != .exited(0) { outcome.add("\(child.end)", child.lines.last ?? "", repetition: "--seed \(seed)") }
    return outcome
  }
}
