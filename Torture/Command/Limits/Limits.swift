import FiefTorture
import Foundation

/// Takes away what a process stands on: descriptors, address space, memory, sizes of files, readers, threads; and has very many
/// stores, observers and writes at once. Nothing traps or waits for ever, each error is one of the library's, and all that was
/// acknowledged is there when the limit is lifted.
struct Limits: TortureTest {
  static let name = "limits"
  static let roles: [String: Role] = [
    "limit": { try LimitProcess.run($0) }, "neighbour": { try LimitNeighbour.run($0) },
  ]

  private let setting: TortureSetting
  private let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_threads")
  }

  func run() throws -> Outcome {
    say("limits: seed \(setting.seed)")
    return try setting.forEach(LimitCase.allCases, unit: "limits") { limit, _ in try run(limit) }
  }

  func control() throws -> ControlOutcome {
    // Each has to be found as what it is: the first by the limit of time, the second by what the stores have.
    let waiting = try run(.pool, defect: "deadlock", seconds: 8).findings.contains { $0.kind == "hung" }
    let losing = try run(.descriptors, defect: "swallowed", seconds: ChildRun.hangLimit).findings.contains {
      $0.kind == "wrong" && $0.text.contains("acknowledged items are lost")
    }
    let found = [waiting, losing].count { $0 }
    return ControlOutcome(
      defect:
        "handlers that wait for a task while all threads of tasks wait; errors of saves that count as done",
      found: found,
      runs: 2,
      needed: 2
    )
  }

  func runOnce() throws -> Outcome {
    guard let limit = setting.arguments.text("limit").flatMap(LimitCase.init) else {
      throw BrokenTest("--limit is one of \(LimitCase.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return try run(limit)
  }

  private func run(_ limit: LimitCase, defect: String? = nil, seconds: Double = 3 * ChildRun.hangLimit) throws
    -> Outcome
  {
    let directory = "\(setting.work)/\(limit.rawValue)-\(defect ?? "stores")"
    try setting.fresh(directory)
    var arguments = [
      "limit", directory, "--limit", limit.rawValue, "--scale",
      "\(setting.effort.count(short: 1, command: 10, night: 40))", "--seed", "\(setting.seed)",
    ]
    if let defect { arguments += ["--defect", defect] }
    let start = ContinuousClock.now
    let child = try ChildRun(
      arguments,
      environment: ["LD_PRELOAD": preload],
      output: "\(directory)-output",
      seconds: seconds
    )
    var outcome = Outcome("limits")
    outcome.runs = 1
    let repetition = "--limit \(limit.rawValue) --seed \(setting.seed)"
    var last = ""
    for line in child.lines {
      let words = line.split(separator: " ", maxSplits: 2)
      switch words.first {
      case "count" where words.count == 3:
        outcome.counts["\(limit.rawValue): \(words[2])", default: 0] += Int(words[1]) ?? 0
      case "wrong": outcome.add("wrong", "\(limit.rawValue): \(line)", repetition: repetition)
      case "doing": last = line
      default: break
      }
    }
    if child.end != .exited(0) || child.lines.last != "end" {
      let text = [last, child.lines.last ?? ""].joined(separator: "; ")
      outcome.add("\(child.end)", "\(limit.rawValue): \(text)", repetition: repetition)
    }
    if defect == nil {
      say("limits: \(limit.rawValue): \((ContinuousClock.now - start).components.seconds) s")
    }
    return outcome
  }
}

/// What a process has little or much of. Those that take longest come first, so that the workers end together.
enum LimitCase: String, CaseIterable, Sendable {
  case addressSpace = "address-space"
  case waitingWrites = "waiting-writes"
  case descriptors, threads, observers, stores, memory
  case fileSize = "file-size"
  case fileSizeSignal = "file-size-signal"
  case readers, pool
}
