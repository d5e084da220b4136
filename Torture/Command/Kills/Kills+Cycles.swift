import ChildProcesses
import Fief
import FiefTorture
import Foundation

extension Kills {
  /// Kills on the same stores, up to the first finding, which leaves them as they are.
  func run(_ epoch: Int, cycles: Int, _ defect: Defect?, worker: Int? = nil) throws -> Outcome {
    var outcome = Outcome("kills")
    let directory = "\(setting.work)/" + (worker.map { "control-\($0)" } ?? "stores-\(epoch)")
    try setting.fresh(directory)
    let seed = setting.seed &* 6_151 &+ epoch
    var random = TortureRandom(seed: seed)
    var expected = ExpectedStores(seed: seed, kind: defect?.kind)
    for cycle in 0..<cycles {
      outcome.runs += 1
      do {
        try run(cycle, in: directory, &expected, &random, defect, &outcome)
      } catch let problem as ExpectedStores.Problem {
        outcome.add(
          problem.kind,
          "\(directory), kill \(cycle): \(problem.text)",
          repetition: "--seed \(setting.seed) --stores \(epoch) --cycles \(cycle + 1)"
        )
        return outcome
      }
    }
    try? FileManager.default.removeItem(atPath: directory)
    return outcome
  }

  private func run(
    _ cycle: Int,
    in directory: String,
    _ expected: inout ExpectedStores,
    _ random: inout TortureRandom,
    _ defect: Defect?,
    _ outcome: inout Outcome
  ) throws {
    let output = "\(directory)/output-\(cycle)"
    let numbers = expected.numbers.map { "\($0)" }.joined(separator: ",")
    var arguments = [
      "produce", directory, "--seed", "\(expected.seed)", "--cycle", "\(cycle)", "--numbers", numbers,
    ]
    if let unfinished = expected.unfinishedImport { arguments += ["--import", unfinished] }
    if let defect { arguments += ["--defect", defect.rawValue] }
    let child = try RunningChild(arguments, output: output)
    // From the beginning of the process, which opens the stores, or while its threads write.
    let isEarly = defect == nil && random.next(4) == 0
    guard try wait(for: isEarly ? "start" : "open", child) else {
      if child.isRunning { child.kill() }
      try Self.checkEnd(child.wait(seconds: ChildRun.hangLimit), of: "the producers", child)
      throw BrokenTest("the producers do not begin: \(try child.lines())")
    }
    usleep(UInt32(random.next(isEarly ? 30_000 : 700_000)))
    child.kill()
    let end = child.wait(seconds: ChildRun.hangLimit)
    if end != .signal(SIGKILL) { throw try Self.problem(end, of: "the producers", child) }
    if random.next(4) == 0 { try killOpening(directory, &random) }
    try judge(try Self.wholeLines(output), in: directory, cycle, &expected, &outcome)
  }

  private func wait(for line: String, _ child: RunningChild) throws -> Bool {
    let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit)
    while .now < limit {
      if try child.lines().contains(line) { return true }
      guard child.isRunning else { return false }
      usleep(500)
    }
    return false
  }

  /// The process that completes what the killed one has left is killed, too.
  private func killOpening(_ directory: String, _ random: inout TortureRandom) throws {
    let opening = try RunningChild(["produced", directory], output: "\(directory)/opening")
    usleep(UInt32(10_000 + random.next(40_000)))
    opening.kill()
    try Self.checkEnd(opening.wait(seconds: ChildRun.hangLimit), of: "the opening", opening)
  }

  /// - Throws: a problem where a process that was killed had ended in another way.
  private static func checkEnd(_ end: ChildProcess.End, of name: String, _ child: RunningChild) throws {
    if !end.isOfKilled { throw try problem(end, of: name, child) }
  }

  private static func problem(_ end: ChildProcess.End, of name: String, _ child: RunningChild) throws
    -> ExpectedStores.Problem
  {
    let last = try child.lines().suffix(3).joined(separator: "; ")
    return ExpectedStores.Problem(kind: "\(name): \(end)", text: last)
  }

  private static func wholeLines(_ path: String) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func judge(
    _ lines: [String],
    in directory: String,
    _ cycle: Int,
    _ expected: inout ExpectedStores,
    _ outcome: inout Outcome
  ) throws {
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1)
      switch words.first {
      case "ack": outcome.counts["acknowledged writes", default: 0] += 1
      case "done":
        let kind = words[1].prefix { $0 != " " }
        outcome.counts["times \(kind) done", default: 0] += 1
      case "count" where words.count == 2: outcome.counts[String(words[1]), default: 0] += 1
      case "start", "open", "begin", "drop": break
      default: throw ExpectedStores.Problem(kind: "output", text: line)
      }
    }
    let child = try ChildRun(
      ["produced", directory],
      output: "\(directory)/produced-\(cycle)",
      seconds: ChildRun.hangLimit
    )
    guard child.end == .exited(0) else {
      throw ExpectedStores.Problem(kind: "check \(child.end)", text: child.lines.last ?? "")
    }
    var dumps: [String: ProducedDump] = [:]
    var place = ""
    for line in child.lines {
      if line.hasPrefix("at ") { place = String(line.dropFirst(3)) }
      if !line.hasPrefix("at "), dumps[place, default: ProducedDump()].add(line) == false {
        throw ExpectedStores.Problem(kind: "output of the check", text: line)
      }
    }
    let stores = ProducerWrite.stores.map { dumps[$0] ?? ProducedDump() }
    try expected.follow(lines, dumps)
    if let pending = expected.pending {
      outcome.counts["kills while \(pending.kind) went on", default: 0] += 1
    }
    try expected.compare(stores, dumps)
    try? FileManager.default.removeItem(atPath: "\(directory)/output-\(cycle)")
    try? FileManager.default.removeItem(atPath: "\(directory)/produced-\(cycle)")
  }

  /// Opens the stores, and the backups of them, checks them and prints what they have.
  static func showProduced(in directory: String) {
    for name in ProducerWrite.stores {
      say("at \(name)")
      // A store that was never made has nothing; the next process makes it.
      guard FileManager.default.fileExists(atPath: "\(directory)/\(name)/data.mdb") else { continue }
      print(ProducedDump(reading: name, in: directory))
    }
    for name in ProducerWrite.stores.flatMap({ ProducerProcess.backups(of: $0, in: directory) }) {
      say("at \(name)")
      print(ProducedDump(reading: name, in: ProducerProcess.backups(in: directory), isReadOnly: true))
    }
  }

  private static func print(_ dump: ProducedDump) {
    var text = ""
    dump.print { text += $0 + "\n" }
    say(String(text.dropLast()))
  }
}
