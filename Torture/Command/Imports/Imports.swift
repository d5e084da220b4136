import FiefTorture
import Foundation

/// Kills processes that import into a tree, export it and build its indexes: a place has the whole value of one import, an exported
/// file is whole, a build goes on, and nothing is left beside the files of the store.
struct Imports: TortureTest {
  static let name = "imports"
  static let roles: [String: Role] = ["transfer": { try await TransferProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    say("imports: seed \(setting.seed)")
    let cycles =
      setting.arguments.number("cycles") ?? setting.effort.count(short: 3, command: 40, night: 400)
    return try run(cycles, defect: nil)
  }

  func control() throws -> ControlOutcome {
    let cycles = setting.effort.count(short: 4, command: 12, night: 40)
    return try ControlOutcome.inRounds(of: cycles, "an import in two commits") {
      try run(cycles, defect: "separate", offset: $0).findings.count { $0.kind == "half" }
    }
  }

  /// - Parameter cycles: the number of rounds, in which all processes are killed once.
  private func run(_ cycles: Int, defect: String?, offset: Int = 0) throws -> Outcome {
    var outcome = Outcome("kills")
    var random = TortureRandom(seed: setting.seed &+ offset)
    var acknowledged = 0
    let directory = "\(setting.work)/stores"
    for cycle in 0..<cycles {
      if cycle == 0 || defect != nil {
        try setting.fresh(directory)
        try setting.fresh("\(directory)-files")
        acknowledged = 0
        guard try show(directory, as: "prepare").lines.last == "end" else {
          throw BrokenTest("the store was not made")
        }
      }
      try run(cycle, in: directory, &acknowledged, &random, defect, &outcome)
      if defect == nil, !outcome.findings.isEmpty { break }
    }
    return outcome
  }

  private func run(
    _ cycle: Int,
    in directory: String,
    _ acknowledged: inout Int,
    _ random: inout TortureRandom,
    _ defect: String?,
    _ outcome: inout Outcome
  ) throws {
    let repetition = "--seed \(setting.seed) --cycles \(cycle + 1)"
    let importer = try start(
      directory,
      ["import", "--from", "\(acknowledged)"] + (defect.map { ["--defect", $0] } ?? [])
    )
    let others = defect == nil ? try ["export", "build"].map { try start(directory, [$0]) } : []
    // Each import has a file of its own to write before it begins.
    try wait(for: "import", importer)
    usleep(UInt32(random.next(1_500_000)))
    for child in [importer] + others {
      child.kill()
      outcome.runs += 1
    }
    for child in [importer] + others {
      let end = child.wait(seconds: ChildRun.hangLimit)
      let lines = try child.lines()
      if !end.isOfKilled { outcome.add("\(end)", lines.last ?? "", repetition: repetition) }
      for line in lines { note(line, &acknowledged, &outcome, repetition) }
    }
    if random.next(4) == 0 {
      // The process that opens the store afterwards is killed, too.
      let opening = try start(directory, ["show"])
      usleep(UInt32(random.next(50_000)))
      opening.kill()
      _ = opening.wait(seconds: ChildRun.hangLimit)
    }
    try judge(directory, cycle, &acknowledged, &outcome, repetition)
  }

  private func start(_ directory: String, _ role: [String]) throws -> RunningChild {
    let output = "\(directory)-output-\(role[0])"
    try? FileManager.default.removeItem(atPath: output)
    return try RunningChild(["transfer", directory, "--as"] + role, output: output)
  }

  private func show(_ directory: String, as role: String) throws -> ChildRun {
    try ChildRun(
      ["transfer", directory, "--as", role],
      output: "\(directory)-\(role)",
      seconds: ChildRun.hangLimit
    )
  }

  private func wait(for line: String, _ child: RunningChild) throws {
    if try !child.prints(line) { throw BrokenTest("a process does not begin: \(try child.lines())") }
  }

  private func note(
    _ line: String,
    _ acknowledged: inout Int,
    _ outcome: inout Outcome,
    _ repetition: String
  ) {
    let words = line.split(separator: " ")
    switch words.first {
    case "ack" where words.count == 2:
      // A line that a kill has cut off has a smaller number.
      acknowledged = max(acknowledged, Int(words[1]) ?? 0)
      outcome.counts["acknowledged imports", default: 0] += 1
    case "export": outcome.counts["exports", default: 0] += 1
    case "built": outcome.counts["builds of indexes", default: 0] += 1
    case "wrong": outcome.add("wrong", line, repetition: repetition)
    default: break
    }
  }

  /// Compares the store with the acknowledged imports.
  private func judge(
    _ directory: String,
    _ cycle: Int,
    _ acknowledged: inout Int,
    _ outcome: inout Outcome,
    _ repetition: String
  ) throws {
    let child = try show(directory, as: "show")
    if child.end != .exited(0) || child.lines.last != "end" {
      outcome.add("the check: \(child.end)", child.lines.last ?? "", repetition: repetition)
    }
    for line in child.lines {
      let words = line.split(separator: " ")
      if line.hasPrefix("wrong ") {
        let kind = line.hasPrefix("wrong half") ? "half" : "wrong"
        outcome.add(kind, "kill \(cycle): \(line)", repetition: repetition)
      } else if words.first == "number", words.count == 2, let number = Int(words[1]) {
        if number < acknowledged || number > acknowledged + 1 {
          let text = "kill \(cycle): import \(number), \(acknowledged) was acknowledged"
          outcome.add(number < acknowledged ? "lost" : "unknown", text, repetition: repetition)
        }
        acknowledged = number
      }
    }
    let known: Set = ["data.mdb", "lock.mdb", "store.manifest", "in.json", "out.json"]
    for folder in ["\(directory)/chat", "\(directory)-files"] {
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        // The second name of an export that replaces a file; the next export removes it.
        !known.contains($0) && !$0.hasPrefix(".fief-new-")
      }
      if !left.isEmpty {
        outcome.add("left", "kill \(cycle): \(left.joined(separator: ", "))", repetition: repetition)
      }
    }
  }
}
