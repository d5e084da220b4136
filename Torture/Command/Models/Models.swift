import FiefModel
import FiefTorture
import Foundation

/// Writes random graphs of random schemas, and random trees, to a store and to a plain model, while system calls fail.
struct Models: TortureTest {
  static let name = "models"
  static let roles: [String: Role] = ["model": { try ModelProcess.run($0) }]

  /// The operations of a seed.
  private static let size = 400

  private let setting: TortureSetting
  private let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
  }

  func run() throws -> Outcome {
    let count = setting.effort.count(short: 20, command: 100, night: 10_000)
    say("models: seeds from \(setting.seed)")
    return try runs(count)
  }

  func runOnce() throws -> Outcome {
    try run(seed: setting.seed, number: 0, isShown: true)
  }

  func control() throws -> ControlOutcome {
    let runs = 12
    func found(_ defect: ModelProcess.Defect) throws -> Int {
      Set(try self.runs(runs, defect).findings.map(\.repetition)).count
    }
    let (lies, rules) = (try found(.lies), try found(.rules))
    return ControlOutcome(
      defect: "writes that report success and write nothing, or a model that takes nullify for cascade",
      // Each of the two has to be found.
      found: lies == 0 || rules == 0 ? 0 : lies + rules,
      runs: 2 * runs,
      needed: runs + runs / 2
    )
  }

  private func runs(_ count: Int, _ defect: ModelProcess.Defect = .none) throws -> Outcome {
    try setting.forEach(Array(0..<count), unit: "random schemas") {
      try run(seed: setting.seed &+ $0, number: $1, defect)
    }
  }

  private func run(seed: Int, number: Int, _ defect: ModelProcess.Defect = .none, isShown: Bool = false)
    throws -> Outcome
  {
    // Commits do not wait for a disk there.
    let directory =
      GraphRun.scratch.path + "/fief-models-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    try setting.fresh(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let run = SeedRun(
      seed: seed,
      arguments: ["model", directory, "--defect", defect.rawValue],
      environment: ["LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory],
      options: ["--operations", "\(setting.arguments.number("operations") ?? Self.size)"]
    )
    return try run.outcome(
      unit: "random schemas",
      output: "\(setting.work)/output-\(number)",
      isShown: isShown
    )
  }
}
