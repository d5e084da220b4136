import Fief
import FiefTorture
import Foundation

/// Eight processes with four threads each use one store at once, and one after the other is killed and started again.
struct Processes: TortureTest {
  static let name = "processes"
  static let roles: [String: Role] = ["bank": { try BankProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  private static let works: [BankProcess.Work] = [
    .transfer, .transfer, .read, .grow, .compact, .observe, .open, .migrate,
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
    let findings = try run([.careless, .careless, .read], seconds: 4, isWhole: false).findings
    return ControlOutcome(
      defect: "transfers that read before their transaction",
      found: findings.contains { $0.kind == "wrong" } ? 1 : 0,
      runs: 1,
      needed: 1
    )
  }

  /// - Parameter isWhole: whether processes are killed, and each has to have done its work.
  private func run(_ works: [BankProcess.Work], seconds: Int, isWhole: Bool) throws -> Outcome {
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    try BankRepository(directory: directory).prepare()
    var run = try BankRun(works, in: directory, seed: setting.seed, seconds: seconds)
    if isWhole { try run.killUntilTheEnd() }
    return try run.finish(isWhole: isWhole)
  }
}
