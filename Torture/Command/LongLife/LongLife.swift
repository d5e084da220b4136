import FiefTorture
import Foundation

/// Writes to a store for long: memory, open files, threads and the size of the file stay what they are in the first tenths.
struct LongLife: TortureTest {
  static let name = "long-life"
  static let roles: [String: Role] = ["live": { try LivingProcess.run($0) }]

  private let setting: TortureSetting

  init(_ setting: TortureSetting) { self.setting = setting }

  /// A number of a sample, and by how much it may be greater in the last tenths than in the first ones.
  ///
  /// Memory grew by about 2,200 KB from the first tenth to the last one, of 200,000 writes and of a million: by what is made once,
  /// not by what a write leaves. The file grew by 112 KB in 200,000 writes, and by 148 KB in a million.
  private struct Limit {
    let name: String
    let more: Int
    /// In 1,024th parts for each write between them: bytes, where the number is of kilobytes.
    let partsPerWrite: Int
  }

  private static let memory = Limit(name: "kilobytes of memory", more: 4_096, partsPerWrite: 4)
  private static let openFiles = Limit(name: "open files", more: 4, partsPerWrite: 0)
  private static let threads = Limit(name: "threads", more: 6, partsPerWrite: 0)
  private static let dataFile = Limit(name: "kilobytes of the data file", more: 1_024, partsPerWrite: 1)
  /// In the order of a sample.
  private static let limits = [memory, openFiles, threads, dataFile]

  func run() throws -> Outcome {
    let writes =
      setting.arguments.number("writes")
      ?? setting.effort.count(short: 20_000, command: 200_000, night: 1_000_000)
    return try run(writes: writes, .none)
  }

  func control() throws -> ControlOutcome {
    // Each of the three has to be found as what it is.
    var found = 0
    for (defect, limits) in [
      (LivingProcess.Defect.held, [Self.dataFile]), (.leaks, [Self.memory, Self.openFiles]),
    ] {
      let findings = try run(writes: 20_000, defect).findings
      for limit in limits
      where findings.contains(where: { $0.kind == "grows" && $0.text.hasPrefix(limit.name + ":") }) {
        found += 1
      }
    }
    return ControlOutcome(
      defect: "a snapshot that is kept from the start, objects that are kept, and descriptors that stay open",
      found: found,
      runs: 3,
      needed: 3
    )
  }

  private func run(writes: Int, _ defect: LivingProcess.Defect) throws -> Outcome {
    let directory = "\(setting.work)/stores"
    try setting.fresh(directory)
    let child = try ChildRun(
      ["live", directory, "--writes", "\(writes)", "--defect", defect.rawValue],
      output: "\(setting.work)/output",
      seconds: 600 + Double(writes) / 100
    )
    var outcome = Outcome("tenths of \(writes) writes")
    let repetition = "--writes \(writes)"
    var samples: [[Int]] = []
    for line in child.lines {
      let words = line.split(separator: " ")
      if words.first == "wrong" { outcome.add("wrong", line, repetition: repetition) }
      if words.first == "count", words.count > 2 {
        outcome.counts[words[2...].joined(separator: " ")] = Int(words[1])
      }
      guard words.first == "sample" else { continue }
      let numbers = words.dropFirst(2).compactMap { Int($0) }
      guard numbers.count == Self.limits.count, numbers.allSatisfy({ $0 > 0 }) else {
        throw BrokenTest("a sample cannot be read: \(line)")
      }
      samples.append(numbers)
      if defect == .none, samples.count == 1 || samples.count == LivingProcess.tenths {
        say("long-life: tenth \(words[1]): \(describe(numbers))")
      }
    }
    outcome.runs = samples.count
    if child.end != .exited(0) || child.lines.last != "end" {
      outcome.add("\(child.end)", child.lines.last ?? "", repetition: repetition)
    } else if samples.count != LivingProcess.tenths {
      throw BrokenTest("\(samples.count) samples in place of \(LivingProcess.tenths)")
    }
    // One of three: what is large for a moment, such as a file while a reader has waited for a processor, is no growth.
    for (index, limit) in Self.limits.enumerated() where samples.count == LivingProcess.tenths {
      let first = Self.median(samples.prefix(3).map { $0[index] })
      let last = Self.median(samples.suffix(3).map { $0[index] })
      // From the second tenth to the last but one.
      let between = writes * (LivingProcess.tenths - 3) / LivingProcess.tenths
      let allowed = first + limit.more + limit.partsPerWrite * between / 1_024
      if last > allowed {
        let text = "\(limit.name): \(first) in the first tenths, \(last) in the last, \(allowed) are allowed"
        outcome.add("grows", text, repetition: repetition)
      }
    }
    return outcome
  }

  private static func median(_ numbers: [Int]) -> Int {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
  }

  private func describe(_ numbers: [Int]) -> String {
    zip(numbers, Self.limits).map { "\($0) \($1.name)" }.joined(separator: ", ")
  }
}
