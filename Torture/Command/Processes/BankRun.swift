import ChildProcesses
import FiefTorture
import Foundation

/// Processes that use the store of the bank at once, of which one after the other is killed and started again.
struct BankRun {
  private let directory: String
  private let works: [BankProcess.Work]
  private let seed: Int
  private let seconds: Int
  private let end: ContinuousClock.Instant
  /// The arguments that repeat the run.
  private let repetition: String
  private var random: TortureRandom
  private var children: [RunningChild] = []
  private var outcome: Outcome
  /// For each thread the number of its last write that was reported as done.
  private var acknowledged: [String: Int] = [:]
  /// How often each process has done its own work.
  private var done: [Int: Int] = [:]

  /// Starts the processes.
  /// - Parameter directory: has the store.
  init(_ works: [BankProcess.Work], in directory: String, seed: Int, seconds: Int) throws {
    self.directory = directory
    self.works = works
    self.seed = seed
    self.seconds = seconds
    end = ContinuousClock.now + .seconds(seconds)
    let names = works.map { $0.rawValue }.joined(separator: ",")
    repetition = "--seed \(seed) --seconds \(seconds) --processes \(names)"
    random = TortureRandom(seed: seed)
    outcome = Outcome("writes by \(works.count) processes")
    try? FileManager.default.removeItem(atPath: BankProcess.sign(of: directory))
    for number in works.indices {
      try? FileManager.default.removeItem(atPath: output(of: number))
      let child = try start(number)
      children.append(child)
    }
  }

  private func output(of number: Int) -> String { "\(directory)-output-\(number)" }

  private mutating func start(_ number: Int) throws -> RunningChild {
    let left = max(1, (end - ContinuousClock.now).components.seconds)
    return try RunningChild(
      [
        "bank", directory, "--as", works[number].rawValue, "--number", "\(number)", "--seconds", "\(left)",
        "--seed", "\(seed &+ random.next(1_000_000))",
      ],
      output: output(of: number)
    )
  }

  // MARK: Killing

  /// Kills one process after the other until shortly before the end; now and then all but one close the store, and that one compacts it.
  mutating func killUntilTheEnd() throws {
    var nextMoment = ContinuousClock.now + .seconds(3)
    while ContinuousClock.now < end - .seconds(2) {
      usleep(UInt32(100_000 + random.next(900_000)))
      let now = ContinuousClock.now
      if now > nextMoment, now < end - .seconds(4), let compactor = works.firstIndex(of: .compact) {
        try beQuiet(compactor)
        nextMoment = ContinuousClock.now + .seconds(10)
      } else {
        try killOne()
      }
    }
  }

  /// Kills a process and starts it again; one that has ended by itself is looked at in the end.
  private mutating func killOne() throws {
    let victim = random.next(children.count)
    guard children[victim].isRunning else { return }
    children[victim].kill()
    let result = children[victim].wait(seconds: ChildRun.hangLimit)
    if !result.isOfKilled { add(result, victim, "a moment before it was killed") }
    outcome.counts["processes killed", default: 0] += 1
    children[victim] = try start(victim)
  }

  private mutating func add(_ result: ChildProcess.End, _ number: Int, _ moment: String) {
    let text = "process \(number), which does \(works[number].rawValue), \(moment)"
    outcome.add("\(result)", text, repetition: repetition)
  }

  /// A moment in which the other processes close the store, so that it is compacted; in every second one a process is killed, too.
  private mutating func beQuiet(_ compactor: Int) throws {
    let sign = BankProcess.sign(of: directory)
    guard FileManager.default.createFile(atPath: sign, contents: nil) else {
      throw BrokenTest("\(sign) cannot be made")
    }
    defer { try? FileManager.default.removeItem(atPath: sign) }
    let before = try compactions(by: compactor)
    if random.next(2) == 0 {
      usleep(UInt32(random.next(2_000_000)))
      try killOne()
    }
    let limit = ContinuousClock.now + .seconds(30)
    while try compactions(by: compactor) == before {
      // The processes end then.
      if ContinuousClock.now > end - .seconds(1) { return }
      guard ContinuousClock.now < limit else {
        let text = "no compaction in 30 seconds in which the other processes had the store closed"
        return outcome.add("idle compact", text, repetition: repetition)
      }
      usleep(50_000)
    }
    outcome.counts["moments in which the other processes had the store closed", default: 0] += 1
  }

  private func compactions(by compactor: Int) throws -> Int {
    try children[compactor].lines().count { $0.hasPrefix("did \(BankProcess.Work.compact.rawValue) ") }
  }

  // MARK: Judging

  /// Waits for the ends of the processes, and looks at what they have printed and at what the store has.
  ///
  /// - Parameter isWhole: whether each process has to have done its work, and the store has to be compacted in the end.
  mutating func finish(isWhole: Bool) throws -> Outcome {
    for number in works.indices {
      let result = children[number].wait(seconds: Double(seconds) + ChildRun.hangLimit)
      if result != .exited(0) { add(result, number, "at the end") }
      for line in try children[number].lines() { judge(line, of: number) }
    }
    if isWhole { findIdle() }
    let check = BankCheck(directory: directory)
    try check.add(to: &outcome, acknowledged, repetition: repetition)
    if isWhole, outcome.findings.isEmpty {
      // No other process has the store open.
      check.compact(&outcome, repetition: repetition)
      try check.add(to: &outcome, acknowledged, repetition: repetition)
    }
    return outcome
  }

  /// A process that has not done its work may have met nothing but errors.
  private mutating func findIdle() {
    for (number, work) in works.enumerated() {
      let (count, least) = (done[number] ?? 0, work.least(in: seconds))
      guard count < least else { continue }
      let text = "process \(number) has done it \(count) times in \(seconds) s, \(least) are the least"
      outcome.add("idle \(work.rawValue)", text, repetition: repetition)
    }
  }

  /// Whether the documents name an error for what happens here: a store is not compacted while another process has it open, a process
  /// has an old version of a store that another one has migrated, and a store that another thread closes is closed.
  private static func isDocumented(_ error: Substring) -> Bool {
    error == "compact-storeInUse:"
      || ["-schemaChanged:", "-versionTooLow:", "-storeClosed:"].contains { error.hasSuffix($0) }
  }

  private mutating func judge(_ line: String, of number: Int) {
    let words = line.split(separator: " ")
    switch words.first {
    case "ack" where words.count == 3:
      // A line that a kill has cut off has the next one behind it.
      guard let count = Int(words[2]) else { return }
      outcome.runs += 1
      let name = String(words[1])
      // The store has the number: a write that is lost is followed by one with the same number.
      if let last = acknowledged[name], count <= last {
        let text = "thread \(name) has done its write \(count) after \(last) were acknowledged"
        outcome.add("lost", text, repetition: repetition)
      }
      acknowledged[name] = max(acknowledged[name] ?? 0, count)
    case "did" where words.count == 3:
      let count = Int(words[2]) ?? 0
      if words[1] == works[number].rawValue { done[number, default: 0] += count }
      let name = words[1] == "compact" ? "compactions" : "times \(words[1]) was done"
      outcome.counts[name, default: 0] += count
    case "event": outcome.counts["events about long readers", default: 0] += 1
    case "migrated": outcome.counts["migrations", default: 0] += 1
    case "notified": outcome.counts["notifications", default: 0] += 1
    case "delivered": outcome.counts["values of the tree delivered", default: 0] += 1
    case "error" where words.count > 1:
      if Self.isDocumented(words[1]) {
        outcome.counts["errors \(words[1])", default: 0] += 1
      } else {
        outcome.add("error \(words[1])", line, repetition: repetition)
      }
    case "wrong": outcome.add("wrong", line, repetition: repetition)
    case "end", "ack", "did": break
    // A line that a kill has cut off.
    case let word?
    where ["ack", "did", "notified", "delivered", "migrated", "event", "error", "wrong", "end"].contains {
      $0.hasPrefix(word)
    }:
      break
    default: outcome.add("output", line, repetition: repetition)
    }
  }
}
