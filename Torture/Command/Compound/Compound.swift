import FiefTorture
import Foundation

/// Two faults, one after the other: the second one comes while what the first one has left is recovered.
struct Compound: TortureTest {
  static let name = "compound"

  private let setting: TortureSetting
  private let workload: CallFaults
  private let runs: CommandRuns

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    workload = try CallFaults(setting)
    runs = try CommandRuns(setting)
  }

  func run() throws -> Outcome {
    say("compound: seed \(setting.seed)")
    var pairs = try FaultPairs(seed: setting.seed, workload, runs)
    let count = setting.effort.count(short: 8, command: 80, night: 1_000)
    return try runAll((0..<count).map { pairs.next($0) })
  }

  private func runAll(_ pairs: [FaultPair]) throws -> Outcome {
    try setting.forEach(pairs, unit: "pairs of faults") { pair, number in
      try pair.placed(workload, runs, number: number).run(workload, runs, number: number).outcome
    }
  }

  // MARK: The control

  func control() throws -> ControlOutcome {
    var pairs = try FaultPairs(seed: setting.seed, workload, runs)
    let count = setting.effort.count(short: 8, command: 20, night: 80)
    let found = try [
      (0..<count).map { _ in pairs.deletingStores() }, (0..<count).map { _ in pairs.migratingInSteps() },
    ].map { Set(try runAll($0).findings.map(\.repetition)).count }
    return ControlOutcome(
      defect:
        "a store that cannot be opened is deleted, and a migration after a killed one commits each step",
      // Each of the two has to be found.
      found: found.contains { $0 < max(1, count / 4) } ? 0 : found.reduce(0, +),
      runs: 2 * count,
      needed: count / 2
    )
  }

  func runOnce() throws -> Outcome {
    let pair: FaultPair =
      setting.arguments.text("command") == nil
      ? .workload(try CallFault(setting.arguments), nil) : .command(try CommandFault(setting.arguments))
    let (outcome, lines) = try pair.run(workload, runs, number: 0)
    lines.forEach { say($0) }
    return outcome
  }
}
