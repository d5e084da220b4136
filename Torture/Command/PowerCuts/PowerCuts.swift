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
    // All before the first cut: what cannot be used later is no reason to skip.
    let kinds = try [LoopDisk.Kind.ext4, .xfs].filter { kind in
      do {
        try tryOut(kind)
        return true
      } catch let skipped as Skipped {
        // The control needs ext4.
        if kind == .ext4 { throw skipped }
        say("power-cuts: SKIPPED for \(kind.rawValue): \(skipped.reason)")
        return false
      }
    }
    var outcome = Outcome("power cuts")
    for kind in kinds {
      let count =
        kind == .ext4
        ? setting.effort.count(short: 3, command: 20, night: 500)
        : setting.effort.count(short: 2, command: 20, night: 200)
      try outcome.add {
        var part = try run(Array(0..<count), kind, isLying: false)
        part.counts["power cuts of \(kind.rawValue)"] = part.runs
        return part
      }
    }
    let acknowledging = outcome.counts[Self.acknowledging] ?? 0
    if 2 * acknowledging < outcome.runs {
      outcome.add(
        "too few writes",
        "\(acknowledging) of \(outcome.runs) cuts had acknowledged writes before them",
        repetition: "--seed \(setting.seed)"
      )
    }
    return outcome
  }

  private static let acknowledging = "power cuts with acknowledged writes before them"

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
    // The finding about all cuts has the seed alone.
    if setting.arguments.text("disk") == nil, setting.arguments.text("cut") == nil { return try run() }
    guard let kind = LoopDisk.Kind(rawValue: setting.arguments.text("disk") ?? ""),
      let cut = setting.arguments.number("cut")
    else { throw BrokenTest("a power cut has --disk, --seed and --cut") }
    try tryOut(kind)
    return try run([cut], kind, isLying: false)
  }

  // MARK: Cuts

  /// Makes a file system, shuts it down and mounts it again.
  /// - Throws: ``Skipped`` where this machine cannot.
  private func tryOut(_ kind: LoopDisk.Kind) throws {
    let place = "\(setting.work)/trial-\(kind.rawValue)"
    let disk = try LoopDisk(kind, image: place + ".img", path: place)
    do { try disk.cutPower() } catch {
      try disk.unmount()
      throw error
    }
    try disk.unmount()
    try disk.mount()
    try disk.unmount()
    try FileManager.default.removeItem(atPath: place + ".img")
  }

  private func run(_ cuts: [Int], _ kind: LoopDisk.Kind, isLying: Bool) throws -> Outcome {
    try setting.forEach(cuts, unit: "power cuts") { cut, worker in
      let place = "\(setting.work)/\(kind.rawValue)-\(worker)"
      do {
        let disk = try LoopDisk(kind, image: place + ".img", path: place)
        let result = Result { try use(disk, cut, kind, isLying: isLying) }
        do { try disk.unmount() } catch {
          // What has gone wrong before says more.
          _ = try result.get()
          throw error
        }
        return try result.get()
      } catch let skipped as Skipped {
        throw BrokenTest("\(kind.rawValue) could be used before the first cut: \(skipped.reason)")
      }
    }
  }

  /// One process writes transfers, one lets the file grow, one goes through the steps, and after a while the power is gone.
  private func use(_ disk: LoopDisk, _ cut: Int, _ kind: LoopDisk.Kind, isLying: Bool) throws -> Outcome {
    var random = TortureRandom(seed: setting.seed &* 7919 &+ cut)
    let (bank, steps) = (disk.path + "/bank", disk.path + "/steps")
    for directory in [bank, steps] { try setting.fresh(directory) }
    try BankRepository(directory: bank).prepare()
    // The names of the directories themselves are the caller's.
    sync()
    let output = disk.path + "-output"
    let lie = CallFault(error: EIO, mode: .lie, call: 1)
    var processes: [CutProcess] = []
    do {
      for work in [BankProcess.Work.transfer, .grow] {
        let number = processes.count
        let words = ["bank", bank, "--as", work.rawValue, "--number", "\(number)", "--seconds", "30"]
        processes.append(
          try CutProcess(
            words + ["--seed", "\(random.next(1_000_000))"],
            environment: isLying
              ? lie.environment(preload: preload, directory: bank, report: output + "-report") : [:],
            output: output + "-\(number)",
            canEnd: false
          )
        )
      }
      processes.append(try CutProcess(["steps", steps], output: output + "-steps", canEnd: true))
      // Most cuts come after the first acknowledged write, however slow the machine is.
      let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit)
      while cut % 4 != 0, try processes.allSatisfy({ try $0.acknowledged().isEmpty }), .now < limit {
        usleep(5_000)
      }
      usleep(UInt32(60_000 + random.next(700_000)))
      for index in processes.indices { try processes[index].note() }
      try disk.cutPower()
    } catch {
      for process in processes { process.kill() }
      for process in processes { _ = process.wait() }
      throw error
    }
    for process in processes { process.kill() }
    var outcome = Outcome("power cuts")
    outcome.runs = 1
    let repetition = "--disk \(kind.rawValue) --seed \(setting.seed) --cut \(cut)"
    for process in processes { try process.judge(process.wait(), &outcome, repetition: repetition) }
    try disk.unmount()
    try disk.mount()
    let acknowledged = try processes.reduce(into: [String: Int]()) { counts, process in
      counts.merge(try process.acknowledged()) { $1 }
    }
    outcome.counts["acknowledged writes"] = acknowledged.values.reduce(0, +)
    if !acknowledged.isEmpty { outcome.counts[Self.acknowledging] = 1 }
    try BankCheck(directory: bank).add(to: &outcome, acknowledged, repetition: repetition)
    let content = try StepStates.content(of: steps, output: output + "-content")
    let done = try processes[2].lines().count { $0.hasPrefix("done ") }
    outcome.counts["acknowledged steps"] = done
    if StepStates.hasBackup(after: done) { outcome.counts["power cuts after a backup that was done"] = 1 }
    for problem in states.problems(of: content, done: done, canBeDone: true) {
      outcome.add(problem.kind, problem.text, repetition: repetition)
    }
    return outcome
  }
}
