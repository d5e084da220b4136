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
    let size = setting.arguments.number("queries") ?? Self.size
    let run = SeedRun(
      seed: seed,
      arguments: ["query", directory, "--bent", isBent ? "yes" : "no"],
      options: ["--queries", "\(size)"]
    )
    return try run.outcome(
      unit: "random schemas",
      output: "\(setting.work)/output-\(number)",
      isShown: isShown
    )
  }
}
