import Fief
import FiefTorture
import Foundation

/// Transactions of several tasks in several processes append to lists and read them; their history must have no anomaly.
struct Isolation: TortureTest {
  static let name = "isolation"
  static let roles: [String: Role] = ["append": { try await AppendProcess.run($0) }]

  private let setting: TortureSetting
  private static let processes = 4

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    say("isolation: seed \(setting.seed)")
    let committed =
      setting.arguments.number("transactions")
      ?? setting.effort.count(short: 8_000, command: 40_000, night: 100_000)
    return try run(committed, isCareless: false)
  }

  func control() throws -> ControlOutcome {
    let findings = try run(1_600, isCareless: true).findings
    return ControlOutcome(
      defect: "writes that append to what was read before their transaction",
      found: findings.contains { $0.kind == "anomaly" } ? 1 : 0,
      runs: 1,
      needed: 1
    )
  }

  /// - Parameter committed: the number of transactions that have to take place.
  private func run(_ committed: Int, isCareless: Bool) throws -> Outcome {
    let repetition = "--seed \(setting.seed) --transactions \(committed)"
    // A tenth more for those that are aborted: one of fifteen is.
    let transactions = committed * 11 / 10 / (Self.processes * AppendProcess.tasks) + 1
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    let repository = BankRepository(directory: directory)
    try repository.prepare()
    var outcome = Outcome("transactions in \(Self.processes) processes")
    var files = 0
    func start(_ number: Int) throws -> (child: RunningChild, output: String) {
      files += 1
      let output = "\(directory)-output-\(files)"
      try? FileManager.default.removeItem(atPath: output)
      let child = try RunningChild(
        [
          "append", directory, "--transactions", "\(transactions)", "--seed", "\(setting.seed)",
          "--first", "\(files * AppendProcess.tasks)", "--careless", isCareless ? "yes" : "no",
        ],
        output: output
      )
      return (child, output)
    }
    var children = try (0..<Self.processes).map(start)
    // One is killed, and another one begins with the last transactions of the rest.
    usleep(UInt32(200_000 + setting.seed % 200_000))
    let isKilled = children[0].child.isRunning && !isCareless
    if isKilled {
      children[0].child.kill()
      outcome.counts["processes killed"] = 1
      children.append(try start(0))
    }
    var lines: [String] = []
    for (index, running) in children.enumerated() {
      let end = running.child.wait(seconds: 600)
      let printed = try running.child.lines()
      let isRight = isKilled && index == 0 ? end.isOfKilled : end == .exited(0)
      if !isRight {
        outcome.add("\(end)", "process \(index): \(printed.last ?? "")", repetition: repetition)
      }
      lines += printed
    }
    var history = AppendHistory(lines)
    var lists: [Int: [Int]] = [:]
    try repository.store().objects(AppendList.self).forEachObject { lists[$0.id] = Array($0.values) }
    repository.close()
    history.check(lists)
    outcome.runs = history.transactions.count
    for problem in history.problems {
      // What a process has said is an error of a transaction.
      outcome.add(problem.hasPrefix("wrong ") ? "wrong" : "anomaly", problem, repetition: repetition)
    }
    if !isCareless, outcome.runs < committed {
      let text = "\(outcome.runs) transactions took place, \(committed) are needed"
      outcome.add("too few transactions", text, repetition: repetition)
    }
    return outcome
  }
}
