import FiefTorture
import Foundation

/// Kills processes that fan messages out in the tree of one store: a message is in all of its places or in none, with its typed counter.
struct Trees: TortureTest {
  static let name = "tree"
  static let roles: [String: Role] = ["fan-out": { try FanOutProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  private static let writers = 2

  func run() throws -> Outcome {
    say("tree: seed \(setting.seed)")
    let cycles =
      setting.arguments.number("cycles") ?? setting.effort.count(short: 5, command: 100, night: 1_000)
    return try run(cycles, defect: nil)
  }

  func control() throws -> ControlOutcome {
    let cycles = setting.effort.count(short: 8, command: 20, night: 40)
    return try ControlOutcome.inRounds(of: cycles, "a fan-out in two commits") {
      try run(cycles, defect: "separate", offset: $0).findings.count { $0.kind == "half" }
    }
  }

  /// - Parameter cycles: how often the processes are started and killed. A defect begins each time with a fresh store.
  private func run(_ cycles: Int, defect: String?, offset: Int = 0) throws -> Outcome {
    var outcome = Outcome("kills")
    var random = TortureRandom(seed: setting.seed &+ offset)
    var acknowledged: [Int: Int] = [:]
    let directory = "\(setting.work)/stores"
    for cycle in 0..<cycles {
      if cycle == 0 || defect != nil {
        try setting.fresh(directory)
        acknowledged = [:]
      }
      try run(cycle, in: directory, &acknowledged, &random, defect, &outcome)
      if defect == nil, !outcome.findings.isEmpty { break }
    }
    return outcome
  }

  private func run(
    _ cycle: Int,
    in directory: String,
    _ acknowledged: inout [Int: Int],
    _ random: inout TortureRandom,
    _ defect: String?,
    _ outcome: inout Outcome
  ) throws {
    let repetition = "--seed \(setting.seed) --cycles \(cycle + 1)"
    let writers = try (0..<(defect == nil ? Self.writers : 1)).map { group in
      try start(
        directory,
        ["write", "--group", "\(group)", "--from", "\(acknowledged[group] ?? 0)"]
          + (defect.map { ["--defect", $0] } ?? []),
        "\(group)"
      )
    }
    let reader = defect == nil ? try start(directory, ["read"], "reader") : nil
    let all = writers + (reader.map { [$0] } ?? [])
    for child in all { try wait(for: "open", child) }
    // From the first message on, or also before it.
    let isEarly = defect == nil && random.next(4) == 0
    if !isEarly { for child in writers { try wait(for: "ack", child) } }
    for child in writers {
      usleep(UInt32(random.next(250_000)))
      child.kill()
      outcome.runs += 1
    }
    reader?.kill()
    for child in all {
      let end = child.wait(seconds: ChildRun.hangLimit)
      if !end.isOfKilled {
        outcome.add("\(end)", try child.lines().last ?? "", repetition: repetition)
      }
      for line in try child.lines() { note(line, &acknowledged, &outcome, repetition) }
    }
    if random.next(4) == 0 {
      // The process that opens the store afterwards is killed, too.
      let opening = try start(directory, ["show"], "opening")
      usleep(UInt32(random.next(20_000)))
      opening.kill()
      _ = opening.wait(seconds: ChildRun.hangLimit)
    }
    try judge(directory, cycle, &acknowledged, &outcome, repetition)
  }

  private func start(_ directory: String, _ role: [String], _ name: String) throws -> RunningChild {
    let output = "\(directory)-output-\(name)"
    try? FileManager.default.removeItem(atPath: output)
    return try RunningChild(["fan-out", directory, "--as"] + role, output: output)
  }

  private func wait(for line: String, _ child: RunningChild) throws {
    if try !child.prints(line) { throw BrokenTest("a process does not begin: \(try child.lines())") }
  }

  private func note(
    _ line: String,
    _ acknowledged: inout [Int: Int],
    _ outcome: inout Outcome,
    _ repetition: String
  ) {
    let words = line.split(separator: " ")
    switch words.first {
    case "ack" where words.count == 3:
      // A line that a kill has cut off has a smaller number.
      guard let group = Int(words[1]), let number = Int(words[2]) else { return }
      acknowledged[group] = max(acknowledged[group] ?? 0, number)
      outcome.counts["acknowledged messages", default: 0] += 1
    case "read": outcome.counts["states read while the processes wrote", default: 0] += 10
    case "wrong":
      let isHalf = line.hasPrefix("wrong half")
      outcome.add(isHalf ? "half" : "wrong", line, repetition: repetition)
    default: break
    }
  }

  /// Compares the messages of the store with the acknowledged ones.
  private func judge(
    _ directory: String,
    _ cycle: Int,
    _ acknowledged: inout [Int: Int],
    _ outcome: inout Outcome,
    _ repetition: String
  ) throws {
    let child = try ChildRun(
      ["fan-out", directory, "--as", "show"],
      output: "\(directory)-show",
      seconds: ChildRun.hangLimit
    )
    if child.end != .exited(0) || child.lines.last != "end" {
      outcome.add("the check: \(child.end)", child.lines.last ?? "", repetition: repetition)
    }
    var isHalf = false
    var missing = acknowledged.filter { $0.value > 0 }
    for line in child.lines {
      let words = line.split(separator: " ")
      if line.hasPrefix("wrong half") {
        // One finding for each kill.
        if !isHalf { outcome.add("half", "kill \(cycle): \(line)", repetition: repetition) }
        isHalf = true
      } else if line.hasPrefix("wrong ") {
        outcome.add("wrong", "kill \(cycle): \(line)", repetition: repetition)
      } else if words.first == "number", words.count == 3, let group = Int(words[1]),
        let number = Int(words[2])
      {
        let last = acknowledged[group] ?? 0
        if number < last || number > last + 1 {
          let text = "kill \(cycle): message \(number) of writer \(group), \(last) was acknowledged"
          outcome.add(number < last ? "lost" : "unknown", text, repetition: repetition)
        }
        acknowledged[group] = number
        missing[group] = nil
      }
    }
    for (group, last) in missing where child.end == .exited(0) {
      outcome.add(
        "lost",
        "kill \(cycle): no message of writer \(group), \(last) was acknowledged",
        repetition: repetition
      )
    }
  }
}
