import FiefTorture
import Foundation

/// Writes to a store for long: memory, open files, threads and the size of the file stay what they are after the first tenth.
struct LongLife: TortureTest {
  static let name = "long-life"
  static let roles: [String: Role] = ["live": { try LivingProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  /// The names of the numbers of a sample, and what a later one may have.
  private static let limits = [
    (name: "kilobytes of memory", factor: 1.5, more: 16_384), (name: "open files", factor: 1, more: 4),
    (name: "threads", factor: 1, more: 6), (name: "kilobytes of the data file", factor: 1.5, more: 4_096),
  ]

  func run() throws -> Outcome {
    try run(writes: setting.effort.count(short: 20_000, command: 200_000, night: 1_000_000), isHeld: false)
  }

  func control() throws -> ControlOutcome {
    let outcome = try run(writes: 20_000, isHeld: true)
    return ControlOutcome(
      defect: "a snapshot that is kept from the start",
      found: outcome.findings.isEmpty ? 0 : 1,
      runs: 1,
      needed: 1
    )
  }

  private func run(writes: Int, isHeld: Bool) throws -> Outcome {
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    let child = try ChildRun(
      ["live", directory, "--writes", "\(writes)", "--held", isHeld ? "yes" : "no"],
      output: "\(setting.work)/output",
      seconds: 600 + Double(writes) / 100
    )
    var outcome = Outcome("tenths of \(writes) writes")
    var first: [Int] = []
    for line in child.lines {
      let words = line.split(separator: " ")
      if words.first == "wrong" { outcome.add("wrong", line, repetition: "") }
      if words.first == "count", words.count == 3 { outcome.counts[String(words[1])] = Int(words[2]) }
      guard words.first == "sample" else { continue }
      let numbers = words.dropFirst(2).compactMap { Int($0) }
      guard numbers.count == Self.limits.count, numbers.allSatisfy({ $0 > 0 }) else {
        throw BrokenTest("a sample cannot be read: \(line)")
      }
      outcome.runs += 1
      if first.isEmpty { first = numbers }
      for (index, limit) in Self.limits.enumerated()
      where Double(numbers[index]) > Double(first[index]) * limit.factor + Double(limit.more) {
        outcome.add("grows", "\(limit.name): \(first[index]), then \(numbers[index])", repetition: "")
      }
      if !isHeld, words[1] == "1" || words[1] == "10" {
        say("long-life: tenth \(words[1]): \(describe(numbers))")
      }
    }
    if child.end != .exited(0) { outcome.add("\(child.end)", child.lines.last ?? "", repetition: "") }
    return outcome
  }

  private func describe(_ numbers: [Int]) -> String {
    zip(numbers, Self.limits).map { "\($0) \($1.name)" }.joined(separator: ", ")
  }
}
