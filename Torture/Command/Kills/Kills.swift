import Fief
import FiefTorture
import Foundation

/// Kills a process of four producers at random moments, again and again on the same stores, and looks at what they have.
struct Kills: TortureTest {
  static let name = "kills"
  static let roles: [String: Role] = [
    "produce": { try ProducerProcess.run($0) },
    "produced": { showProduced(in: $0.rest.first ?? "") },
  ]

  /// The defects of the control.
  enum Defect: String, CaseIterable, Sendable {
    /// A write is acknowledged before its commit.
    case early
    /// A write to several stores is one write after the other.
    case separate
    /// A fan-out in the tree has two commits.
    case halves

    /// The kind of all writes, if the defect needs one.
    var kind: ProducerWrite.Kind? {
      switch self {
      case .early: nil
      case .separate: .joint
      case .halves: .fanOut
      }
    }

    /// The kind of the findings that the defect leads to.
    var finding: String {
      switch self {
      case .early: "lost"
      case .separate: "half"
      case .halves: "wrong"
      }
    }
  }

  let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  /// The number of kills of the same stores.
  private static let cycles = 10

  // MARK: The test

  func run() throws -> Outcome {
    say("kills: seed \(setting.seed)")
    let cycles = setting.effort.count(short: 8, command: 200, night: 2_000)
    return try setting.forEach(Array(0..<max(1, cycles / Self.cycles)), unit: "kills") { epoch, _ in
      try run(epoch, cycles: min(cycles, Self.cycles), nil)
    }
  }

  func control() throws -> ControlOutcome {
    let count = setting.effort.count(short: 6, command: 10, night: 40)
    // One kill each: with the first finding the stores are not as the model has them.
    let found = try Defect.allCases.map { defect in
      let outcome = try setting.forEach(Array(0..<count), unit: "kills") {
        try run($0, cycles: 1, defect, worker: $1)
      }
      return outcome.findings.count { $0.kind == defect.finding }
    }
    return ControlOutcome(
      defect: "writes that are acknowledged before their commit, joint writes made one after the other, "
        + "and a fan-out in two commits",
      // Each of the three has to be found.
      found: found.contains { $0 < max(1, count / 4) } ? 0 : found.reduce(0, +),
      runs: found.count * count,
      needed: found.count * max(1, count / 4)
    )
  }

  func runOnce() throws -> Outcome {
    guard let epoch = setting.arguments.number("stores") else {
      throw BrokenTest("kills of the same stores have --seed and --stores; --cycles is the number of kills")
    }
    return try run(epoch, cycles: setting.arguments.number("cycles") ?? Self.cycles, nil)
  }
}
