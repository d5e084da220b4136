import Fief
import FiefTorture
import Foundation

/// Nine processes with four threads each use one store at once, and one after the other is killed and started again.
struct Processes: TortureTest {
  static let name = "processes"
  static let roles: [String: Role] = ["bank": { try BankProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  private static let works: [BankProcess.Work] = [
    .transfer, .transfer, .fanOut, .read, .grow, .compact, .observe, .open, .migrate,
  ]

  func run() throws -> Outcome {
    say("processes: seed \(setting.seed)")
    let seconds =
      setting.arguments.number("seconds") ?? setting.effort.count(short: 8, command: 60, night: 600)
    return try run(chosenWorks(), seconds: seconds, isWhole: true)
  }

  /// What `--processes` has each process do, or what the test does by itself.
  private func chosenWorks() throws -> [BankProcess.Work] {
    guard let names = setting.arguments.text("processes") else { return Self.works }
    return try names.split(separator: ",").map { name in
      guard let work = BankProcess.Work(rawValue: String(name)) else {
        let all = BankProcess.Work.allCases.map { $0.rawValue }.joined(separator: ", ")
        throw BrokenTest("--processes has, with commas, what each process does, of \(all)")
      }
      return work
    }
  }

  func control() throws -> ControlOutcome {
    let careless = try run([.careless, .careless, .read], seconds: 4, isKilled: false, isWhole: false)
    let hasty = try run([.hasty, .hasty], seconds: 6, isWhole: false)
    let halves = try run([.halves, .read], seconds: 4, isKilled: false, isWhole: false)
    let found = [
      careless.findings.contains { $0.kind == "wrong" }, hasty.findings.contains { $0.kind == "lost" },
      halves.findings.contains { $0.kind == "wrong" },
    ]
    return ControlOutcome(
      defect:
        "transfers that read before their transaction, transfers that are acknowledged before they are written, "
        + "and fan-outs in two commits",
      found: found.count { $0 },
      runs: 3,
      needed: 3
    )
  }

  /// - Parameters:
  ///   - isKilled: whether processes are killed.
  ///   - isWhole: whether each has to have done its work.
  private func run(
    _ works: [BankProcess.Work],
    seconds: Int,
    isKilled: Bool = true,
    isWhole: Bool
  ) throws -> Outcome {
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    try BankRepository(directory: directory).prepare()
    var run = try BankRun(works, in: directory, seed: setting.seed, seconds: seconds)
    if isKilled { try run.killUntilTheEnd() }
    return try run.finish(isWhole: isWhole)
  }
}
