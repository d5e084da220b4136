import FiefTorture
import Foundation
import LMDB

/// Fuzzes each decoder with libFuzzer for a while, from the corpus in the repository on; see `Torture/Fuzzing`.
struct Fuzzing: TortureTest {
  static let name = "fuzz"

  private let setting: TortureSetting
  /// The script that runs the fuzzers, which `Torture/run` has built.
  private static let script = "Torture/Fuzzing/run"

  init(_ setting: TortureSetting) { self.setting = setting }

  func run() throws -> Outcome {
    if case .short = setting.effort { throw Skipped("`make test` reads the corpus; fuzzing it takes longer") }
    return try setting.forEach(try targets(), unit: "fuzzed decoders") { target, _ in try judged(target) }
  }

  /// Fuzzes a target for its time.
  private func judged(_ target: String) throws -> Outcome {
    let seconds = setting.effort.count(short: 14, command: 14, night: 1_800)
    let (child, found) = try fuzz(target, seconds: seconds, isPlanted: false)
    var outcome = Outcome("fuzzed decoders")
    outcome.runs = 1
    let line = child.lines.last { $0.hasPrefix("stat::number_of_executed_units") }
    let executions = line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
    outcome.counts["executions"] = executions
    if let done = child.lines.last(where: { $0.contains("DONE") }) { say("fuzz: \(target): \(done)") }
    if child.end != .exited(0) {
      outcome.add(target, text(of: child), repetition: "--target \(target) \(found)")
    } else if executions == 0 {
      outcome.add(
        target,
        "the fuzzer has ended without an execution: \(text(of: child))",
        repetition: "--target \(target)"
      )
    }
    return outcome
  }

  func control() throws -> ControlOutcome {
    let missed = OwnedLock<[String]>([])
    let targets = try targets()
    _ = try setting.forEach(targets, unit: "fuzzed decoders") { target, _ in
      // Ends with the finding, after some seconds for most.
      let (child, _) = try fuzz(target, seconds: 120, isPlanted: true)
      let isFound = child.lines.contains { $0.hasPrefix("finding: ") }
      if !isFound { missed.withLock { $0.append(target) } }
      return Outcome("fuzzed decoders")
    }
    let names = missed.withLock { $0 }
    if !names.isEmpty { say("fuzz: not found by the fuzzers of \(names.sorted().joined(separator: ", "))") }
    return ControlOutcome(
      defect: "a defect that each target pretends to have",
      found: targets.count - names.count,
      runs: targets.count,
      needed: targets.count
    )
  }

  func runOnce() throws -> Outcome {
    guard let target = setting.arguments.text("target") else { throw BrokenTest("--target is missing") }
    // A finding without an input, as after a hang, is looked for again.
    guard let text = setting.arguments.text("input") else { return try judged(target) }
    guard let input = Data(base64Encoded: text) else { throw BrokenTest("--input is not base 64") }
    let file = "\(setting.work)/input"
    try input.write(to: URL(filePath: file))
    let child = try start([target, file], environment: [:], name: target, seconds: ChildRun.hangLimit)
    for line in child.lines { say(line) }
    var outcome = Outcome("inputs")
    outcome.runs = 1
    if child.end != .exited(0) { outcome.add(target, self.text(of: child), repetition: "") }
    return outcome
  }

  private func targets() throws -> [String] {
    let child = try start(["list"], environment: [:], name: "list", seconds: ChildRun.hangLimit)
    let names = child.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    guard child.end == .exited(0), !names.isEmpty else {
      throw BrokenTest("there are no fuzzers; Torture/run builds them: \(child.lines.last ?? "")")
    }
    return names
  }

  /// - Returns: how the fuzzer ended, and the arguments that name the input that it found.
  private func fuzz(_ target: String, seconds: Int, isPlanted: Bool) throws -> (
    child: ChildRun, found: String
  ) {
    let name = isPlanted ? "\(target)-planted" : target
    let directory = "\(setting.work)/\(name)"
    try setting.fresh(directory)
    let child = try start(
      [target, "\(seconds)"],
      environment: ["FIEF_FUZZ_FOUND": directory, "FIEF_FUZZ_DEFECT": isPlanted ? "planted" : ""],
      name: name,
      seconds: Double(seconds) * 2 + 120
    )
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    guard let file = files.first, let input = FileManager.default.contents(atPath: "\(directory)/\(file)")
    else {
      return (child, "")
    }
    return (child, "--input '\(input.base64EncodedString())'")
  }

  private func start(
    _ arguments: [String],
    environment: [String: String],
    name: String,
    seconds: Double
  ) throws -> ChildRun {
    try ChildRun(
      [Self.script] + arguments,
      of: "/bin/bash",
      environment: environment.merging(["FIEF_FUZZ_BUILT": "yes"]) { $1 },
      output: "\(setting.work)/\(name)-output",
      seconds: seconds
    )
  }

  private func text(of child: ChildRun) -> String {
    let marks = ["finding: ", "Fatal error", "ERROR: "]
    let line = child.lines.first { line in marks.contains { line.contains($0) } }
    return "\(child.end): \(line ?? child.lines.last ?? "")"
  }
}
