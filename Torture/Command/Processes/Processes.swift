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

  /// Whether the documents name an error for what happens here: a store is not compacted while another process has it open, a process
  /// has an old version of a store that another one has migrated, and a store that another thread closes is closed.
  private static func isDocumented(_ error: Substring) -> Bool {
    error == "compact-storeInUse:"
      || ["-schemaChanged:", "-versionTooLow:", "-storeClosed:"].contains { error.hasSuffix($0) }
  }

  func run() throws -> Outcome {
    say("processes: seed \(setting.seed)")
    return try run(Self.works, seconds: setting.effort.count(short: 8, command: 60, night: 600), kills: true)
  }

  func control() throws -> ControlOutcome {
    let works = [BankProcess.Work.careless, .careless, .read]
    let findings = try run(works, seconds: 4, kills: false).findings
    return ControlOutcome(
      defect: "transfers that read before their transaction",
      found: findings.contains { $0.kind == "wrong" } ? 1 : 0,
      runs: 1,
      needed: 1
    )
  }

  private func run(_ works: [BankProcess.Work], seconds: Int, kills: Bool) throws -> Outcome {
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    try BankRepository(directory: directory).prepare()
    let end = ContinuousClock.now + .seconds(seconds)
    var random = TortureRandom(seed: setting.seed)
    var outcome = Outcome("writes by \(works.count) processes")
    func start(_ number: Int) throws -> RunningChild {
      let left = max(1, (end - .now).components.seconds)
      return try RunningChild(
        [
          "bank", directory, "--as", works[number].rawValue, "--number", "\(number)", "--seconds", "\(left)",
          "--seed", "\(setting.seed &+ random.next(1_000_000))",
        ],
        output: "\(directory)-output-\(number)"
      )
    }
    for number in works.indices {
      try? FileManager.default.removeItem(atPath: "\(directory)-output-\(number)")
    }
    var children = try works.indices.map(start)
    while kills, .now < end - .seconds(2) {
      usleep(UInt32(100_000 + random.next(900_000)))
      let victim = random.next(children.count)
      guard children[victim].isRunning else { continue }
      children[victim].kill()
      _ = try children[victim].wait(seconds: 10)
      outcome.counts["processes killed", default: 0] += 1
      children[victim] = try start(victim)
    }
    var acknowledged: [String: Int] = [:]
    for (number, child) in children.enumerated() {
      let result = try child.wait(seconds: Double(seconds) + 60)
      if result != .exited(0) {
        outcome.add(
          "\(result)",
          "the process that does \(works[number].rawValue)",
          repetition: "--seed \(setting.seed)"
        )
      }
      for line in try child.lines() { judge(line, &outcome, &acknowledged) }
    }
    try BankCheck(directory: directory).add(to: &outcome, acknowledged, repetition: "--seed \(setting.seed)")
    return outcome
  }

  private func judge(_ line: String, _ outcome: inout Outcome, _ acknowledged: inout [String: Int]) {
    let words = line.split(separator: " ")
    switch words.first {
    case "ack" where words.count == 3:
      outcome.runs += 1
      let name = String(words[1])
      acknowledged[name] = max(acknowledged[name] ?? 0, Int(words[2]) ?? 0)
    case "event": outcome.counts["events about long readers", default: 0] += 1
    case "migrated": outcome.counts["migrations", default: 0] += 1
    case "notified": outcome.counts["notifications", default: 0] += 1
    case "error" where words.count > 1:
      if Self.isDocumented(words[1]) {
        outcome.counts["errors \(words[1])", default: 0] += 1
      } else {
        outcome.add("error \(words[1])", line, repetition: "--seed \(setting.seed)")
      }
    case "wrong": outcome.add("wrong", line, repetition: "--seed \(setting.seed)")
    case "done" where words.count == 2, "end", "ack": break
    // A line that a kill has cut off.
    case let word?
    where ["ack", "notified", "migrated", "event", "error", "wrong", "done", "end"].contains {
      $0.hasPrefix(word)
    }:
      break
    default: outcome.add("output", line, repetition: "--seed \(setting.seed)")
    }
  }
}
