import FiefTorture
import Foundation

/// Damages the files of stores with every kind of data and index, in clear and encrypted, and of stores of old versions, and uses them:
/// each answer is right, or an error, or reported.
struct Damage: TortureTest {
  static let name = "damage"
  static let roles: [String: Role] = [
    "damage": { try DamageProcess.run($0) }, "damage-old": { try OldStoreProcess.run($0) },
    "damage-kinds": { try KindStoreProcess.run($0) },
  ]

  /// Which stores are damaged.
  private enum Stores: String, CaseIterable {
    case workload, kinds, old

    var role: String { self == .workload ? "damage" : "damage-\(rawValue)" }
    /// The number of stores that one process damages. One of old versions first opens all of them as they are.
    var batch: Int { self == .old ? 200 : 100 }
    /// The number of rounds of the control.
    var controls: Int { self == .kinds ? 4 : 8 }

    func count(_ effort: TortureSetting.Effort) -> Int {
      switch self {
      case .workload: effort.count(short: 200, command: 2_000, night: 30_000)
      case .kinds: effort.count(short: 100, command: 1_000, night: 20_000)
      case .old: effort.count(short: 200, command: 2_000, night: 20_000)
      }
    }
  }

  private let setting: TortureSetting
  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    say("damage: seed \(setting.seed)")
    var outcome = Outcome("damaged stores")
    for stores in Stores.allCases {
      let batches = stores.count(setting.effort) / stores.batch
      try outcome.add {
        try setting.forEach(Array(0..<batches), unit: "damaged stores") { batch, worker in
          try run(stores, first: batch * stores.batch, rounds: stores.batch, worker: worker)
        }
      }
    }
    return outcome
  }

  func control() throws -> ControlOutcome {
    var outcome = Outcome("damaged stores")
    for stores in Stores.allCases {
      outcome.add(try run(stores, first: 0, rounds: stores.controls, worker: 0, isControl: true))
    }
    let runs = Stores.allCases.reduce(0) { $0 + $1.controls }
    return ControlOutcome(
      defect:
        "an older state of the store, an object that was deleted, and another value of an object though the check finds something",
      found: Set(outcome.findings.filter { $0.kind == "wrong" }.map(\.repetition)).count,
      runs: runs,
      needed: runs
    )
  }

  func runOnce() throws -> Outcome {
    guard let round = setting.arguments.number("round") else {
      throw BrokenTest("a damage has --seed and --round")
    }
    let name = setting.arguments.text("of") ?? Stores.workload.rawValue
    guard let stores = Stores(rawValue: name) else { throw BrokenTest("there are no stores \(name)") }
    return try run(stores, first: round, rounds: 1, worker: 0)
  }

  private func run(
    _ stores: Stores,
    first: Int,
    rounds: Int,
    worker: Int,
    isControl: Bool = false
  ) throws -> Outcome {
    guard let fixtures = setting.arguments.text("fixtures") else {
      throw BrokenTest("--fixtures DIRECTORY is missing; Torture/run gives it")
    }
    func repetition(_ round: Int) -> String {
      "--seed \(setting.seed) --round \(round) --of \(stores.rawValue)"
    }
    let directory = "\(setting.work)/run-\(worker)"
    try setting.fresh(directory)
    let child = try ChildRun(
      [
        stores.role, directory, "--first", "\(first)", "--rounds", "\(rounds)", "--seed", "\(setting.seed)",
        "--control", isControl ? "yes" : "no", "--fixtures", fixtures,
      ],
      output: "\(directory)-output",
      seconds: 2 * ChildRun.hangLimit
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
        outcome.counts["\(stores.rawValue): \(words[2])", default: 0] += Int(words[1]) ?? 0
      }
    }
    switch child.end {
    case .exited(0) where outcome.runs == rounds && child.lines.last == "end": break
    case .exited(let code) where outcome.runs == 0:
      throw BrokenTest("the process ended with \(code): \(child.lines.last ?? "")")
    case let end:
      // The rest of the batch is not run.
      outcome.add("\(end)", child.lines.last ?? "", repetition: repetition(round))
    }
    return outcome
  }
}
