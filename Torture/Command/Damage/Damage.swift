import FiefTorture
import Foundation

/// Damages the files of a store with every kind of data and index, and uses it: each answer is right, or an error, or reported.
struct Damage: TortureTest {
  static let name = "damage"
  static let roles: [String: Role] = ["damage": { try DamageProcess.run($0) }]

  private let setting: TortureSetting
  /// The number of stores that one process damages.
  private static let batch = 100

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    say("damage: seed \(setting.seed)")
    let count = setting.effort.count(short: 200, command: 3_000, night: 50_000)
    return try setting.forEach(Array(0..<count / Self.batch), unit: "damaged stores") { batch, worker in
      try run(first: batch * Self.batch, rounds: Self.batch, worker: worker, isControl: false)
    }
  }

  func control() throws -> ControlOutcome {
    let outcome = try run(first: 0, rounds: 8, worker: 0, isControl: true)
    return ControlOutcome(
      defect: "an older state of the store, with nothing that says so",
      found: Set(outcome.findings.map(\.repetition)).count,
      runs: 8,
      needed: 8
    )
  }

  func runOnce() throws -> Outcome {
    guard let round = setting.arguments.number("round") else {
      throw BrokenTest("a damage has --seed and --round")
    }
    return try run(first: round, rounds: 1, worker: 0, isControl: false)
  }

  private func run(first: Int, rounds: Int, worker: Int, isControl: Bool) throws -> Outcome {
    let directory = "\(setting.work)/run-\(worker)"
    try setting.fresh(directory)
    let child = try ChildRun(
      [
        "damage", directory, "--first", "\(first)", "--rounds", "\(rounds)", "--seed", "\(setting.seed)",
        "--control", isControl ? "yes" : "no",
      ],
      output: "\(directory)-output",
      seconds: 600
    )
    var outcome = Outcome("damaged stores")
    var round = first
    for line in child.lines {
      let words = line.split(separator: " ", maxSplits: 2)
      if line.hasPrefix("round "), words.count > 1 {
        round = Int(words[1]) ?? round
        outcome.runs += 1
      } else if line.hasPrefix("wrong ") {
        outcome.add("wrong", line, repetition: "--seed \(setting.seed) --round \(round)")
      } else if line.hasPrefix("outcome "), words.count == 3 {
        outcome.counts[String(words[2]), default: 0] += Int(words[1]) ?? 0
      }
    }
    switch child.end {
    case .exited(0): break
    case .exited(let code) where outcome.runs == 0:
      throw BrokenTest("the process ended with \(code): \(child.lines.last ?? "")")
    case let end:
      // The rest of the batch is not run.
      outcome.add("\(end)", child.lines.last ?? "", repetition: "--seed \(setting.seed) --round \(round)")
    }
    return outcome
  }
}
