import Fief
import FiefTorture
import Foundation

/// Cuts the power of a file system while processes write to stores on it; what they were told is done has to be there afterwards.
struct PowerCuts: TortureTest {
  static let name = "power-cuts"

  private let setting: TortureSetting
  private let states: StepStates
  private let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    states = try StepStates(work: setting.work)
    preload = try setting.preload("failing_calls")
  }

  func run() throws -> Outcome {
    say("power-cuts: seed \(setting.seed)")
    var outcome = Outcome("power cuts")
    let counts: [(LoopDisk.Kind, Int)] = [
      (.ext4, setting.effort.count(short: 3, command: 20, night: 500)),
      (.xfs, setting.effort.count(short: 2, command: 20, night: 200)),
    ]
    for (kind, count) in counts {
      do {
        let part = try run(Array(0..<count), kind, isLying: false)
        outcome.add(part)
        outcome.counts["power cuts of \(kind.rawValue)"] = part.runs
      } catch let skipped as Skipped {
        // The control needs ext4.
        if kind == .ext4 { throw skipped }
        say("power-cuts: SKIPPED for \(kind.rawValue): \(skipped.reason)")
      }
    }
    return outcome
  }

  func control() throws -> ControlOutcome {
    let count = setting.effort.count(short: 4, command: 8, night: 20)
    let outcome = try run(Array(0..<count), .ext4, isLying: true)
    let found = Set(outcome.findings.map(\.repetition)).count
    return ControlOutcome(
      defect: "synchronisations that report success and do nothing",
      found: found,
      runs: count,
      needed: count / 2
    )
  }

  func runOnce() throws -> Outcome {
    guard let kind = LoopDisk.Kind(rawValue: setting.arguments.text("disk") ?? ""),
      let cut = setting.arguments.number("cut")
    else { throw BrokenTest("a power cut has --disk, --seed and --cut") }
    return try run([cut], kind, isLying: false)
  }

  // MARK: Cuts

  private func run(_ cuts: [Int], _ kind: LoopDisk.Kind, isLying: Bool) throws -> Outcome {
    try setting.forEach(cuts, unit: "power cuts") { cut, worker in
      let place = "\(setting.work)/\(kind.rawValue)-\(worker)"
      let disk = try LoopDisk(kind, image: place + ".img", path: place)
      let result = Result { try use(disk, cut, kind, isLying: isLying) }
      try disk.unmount()
      return try result.get()
    }
  }

  /// Two processes write transfers, one goes through the steps, and after a while the power is gone.
  private func use(_ disk: LoopDisk, _ cut: Int, _ kind: LoopDisk.Kind, isLying: Bool) throws -> Outcome {
    var random = TortureRandom(seed: setting.seed &* 7919 &+ cut)
    let (bank, steps) = (disk.path + "/bank", disk.path + "/steps")
    for directory in [bank, steps] { try setting.fresh(directory) }
    try BankRepository(directory: bank).prepare()
    // The names of the directories themselves are the caller's.
    sync()
    let output = disk.path + "-output"
    let lie = CallFault(error: EIO, mode: .lie, call: 1)
    for part in ["-0", "-1", "-steps"] { try? FileManager.default.removeItem(atPath: output + part) }
    var children = try (0..<2).map { number in
      try RunningChild(
        [
          "bank", bank, "--as", number == 0 ? "transfer" : "grow", "--number", "\(number)", "--seconds", "30",
          "--seed", "\(random.next(1_000_000))",
        ],
        environment: isLying
          ? lie.environment(preload: preload, directory: bank, report: output + "-report") : [:],
        output: output + "-\(number)"
      )
    }
    children.append(try RunningChild(["steps", steps], output: output + "-steps"))
    usleep(UInt32(60_000 + random.next(700_000)))
    try disk.cutPower()
    for child in children {
      child.kill()
      _ = try child.wait(seconds: 10)
    }
    try disk.unmount()
    try disk.mount()
    var outcome = Outcome("power cuts")
    outcome.runs = 1
    let repetition = "--disk \(kind.rawValue) --seed \(setting.seed) --cut \(cut)"
    let acknowledged = try children[0].lines().reduce(into: [String: Int]()) { counts, line in
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "ack", let count = Int(words[2]) { counts[String(words[1])] = count }
    }
    outcome.counts["acknowledged writes"] = acknowledged.values.reduce(0, +)
    try BankCheck(directory: bank).add(to: &outcome, acknowledged, repetition: repetition)
    let content = try StepStates.content(of: steps, output: output + "-content")
    let done = try children[2].lines().count { $0.hasPrefix("done ") }
    outcome.counts["acknowledged steps"] = done
    for problem in content.problems { outcome.add("inconsistent", problem, repetition: repetition) }
    if let problem = states.problem(of: content.text, done: done, canBeDone: true) {
      outcome.add(problem.kind, problem.text, repetition: repetition)
    }
    return outcome
  }
}
