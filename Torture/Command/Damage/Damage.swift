import FiefTorture
import Foundation

/// Damages the files of a store with every kind of data and index, and of stores of old versions, and uses them: each answer is
/// right, or an error, or reported.
struct Damage: TortureTest {
  static let name = "damage"
  static let roles: [String: Role] = [
    "damage": { try DamageProcess.run($0) }, "damage-old": { try OldStoreProcess.run($0) },
  ]

  private let setting: TortureSetting
  /// The number of stores that one process damages.
  private static let batch = 100
  /// The same of stores of old versions, all of which each process opens first as they are.
  private static let oldBatch = 200

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    say("damage: seed \(setting.seed)")
    let count = setting.effort.count(short: 200, command: 3_000, night: 50_000)
    var outcome = try setting.forEach(Array(0..<count / Self.batch), unit: "damaged stores") {
      batch,
      worker in
      try run(first: batch * Self.batch, rounds: Self.batch, worker: worker, isControl: false)
    }
    let oldCount = setting.effort.count(short: 200, command: 2_000, night: 20_000)
    outcome.add(
      try setting.forEach(Array(0..<oldCount / Self.oldBatch), unit: "damaged stores") { batch, worker in
        try run(
          first: batch * Self.oldBatch,
          rounds: Self.oldBatch,
          worker: worker,
          isControl: false,
          role: "damage-old"
        )
      }
    )
    return outcome
  }

  func control() throws -> ControlOutcome {
    var outcome = try run(first: 0, rounds: 8, worker: 0, isControl: true)
    outcome.add(try run(first: 0, rounds: 8, worker: 0, isControl: true, role: "damage-old"))
    return ControlOutcome(
      defect: "an older state of the store, and an object that was deleted, with nothing that says so",
      found: Set(outcome.findings.map(\.repetition)).count,
      runs: 16,
      needed: 16
    )
  }

  func runOnce() throws -> Outcome {
    guard let round = setting.arguments.number("round") else {
      throw BrokenTest("a damage has --seed and --round")
    }
    return try run(
      first: round,
      rounds: 1,
      worker: 0,
      isControl: false,
      role: setting.arguments.text("of") == "old" ? "damage-old" : "damage"
    )
  }

  /// - Parameter role: which stores the process damages.
  private func run(
    first: Int,
    rounds: Int,
    worker: Int,
    isControl: Bool,
    role: String = "damage"
  ) throws -> Outcome {
    let isOld = role == "damage-old"
    guard let fixtures = setting.arguments.text("fixtures") else {
      throw BrokenTest("--fixtures DIRECTORY is missing; Torture/run gives it")
    }
    func repetition(_ round: Int) -> String {
      "--seed \(setting.seed) --round \(round)\(isOld ? " --of old" : "")"
    }
    let directory = "\(setting.work)/run-\(worker)"
    try setting.fresh(directory)
    let child = try ChildRun(
      [
        role, directory, "--first", "\(first)", "--rounds", "\(rounds)", "--seed", "\(setting.seed)",
        "--control", isControl ? "yes" : "no", "--fixtures", fixtures,
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
        outcome.add("wrong", line, repetition: repetition(round))
      } else if line.hasPrefix("outcome "), words.count == 3 {
        outcome.counts[(isOld ? "old versions: " : "") + words[2], default: 0] += Int(words[1]) ?? 0
      }
    }
    switch child.end {
    case .exited(0): break
    case .exited(let code) where outcome.runs == 0:
      throw BrokenTest("the process ended with \(code): \(child.lines.last ?? "")")
    case let end:
      // The rest of the batch is not run.
      outcome.add("\(end)", child.lines.last ?? "", repetition: repetition(round))
    }
    return outcome
  }
}
