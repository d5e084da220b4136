import FiefTorture
import Foundation

/// Fills the disk of a store and frees it again: what was acknowledged stays, deletions work, and all else fails with an error that says why.
struct DiskFull: TortureTest {
  static let name = "disk-full"
  static let roles: [String: Role] = ["fill": { try FillProcess.run($0) }]

  private let setting: TortureSetting
  private let preload: String

  private static let kinds = [LoopDisk.Kind.tmpfs, .ext4]
  private static let megabytes = 24

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
  }

  func run() throws -> Outcome {
    say("disk-full: seed \(setting.seed)")
    let cycles = setting.effort.count(short: 4, command: 20, night: 100)
    let (kinds, reasons) = try usableKinds()
    for (kind, reason) in reasons { say("disk-full: SKIPPED for \(kind.rawValue): \(reason)") }
    return try setting.forEach(kinds, unit: Self.unit) { kind, _ in try run(kind, cycles: cycles) }
  }

  func control() throws -> ControlOutcome {
    let kind = try usableKinds().kinds[0]
    // Writes are swallowed from the hundredth on: those to the disk, and not those to the output of the process beside it.
    let lie = CallFault(error: ENOSPC, mode: .swallow, call: 100)
    let environment = lie.environment(
      preload: preload,
      directory: path(of: kind) + "/",
      report: "\(setting.work)/report"
    )
    let findings = try run(kind, cycles: 1, environment: environment).findings
    return ControlOutcome(
      defect: "writes that report success and write nothing",
      found: findings.contains { $0.kind == "wrong" } ? 1 : 0,
      runs: 1,
      needed: 1
    )
  }

  func runOnce() throws -> Outcome {
    guard let kind = LoopDisk.Kind(rawValue: setting.arguments.text("disk") ?? ""),
      let cycles = setting.arguments.number("cycles")
    else { throw BrokenTest("cycles have --disk, --seed and --cycles, the number of them") }
    return try run(kind, cycles: cycles, isShown: true)
  }

  // MARK: Disks

  private func path(of kind: LoopDisk.Kind) -> String { "\(setting.work)/\(kind.rawValue)" }

  private func makeDisk(_ kind: LoopDisk.Kind) throws -> LoopDisk {
    let path = path(of: kind)
    return try LoopDisk(kind, image: path + ".img", path: path, megabytes: Self.megabytes)
  }

  /// The kinds of disks that this machine can make and mount; of the others, why it cannot.
  /// - Throws: ``Skipped`` where it can make none; other errors where one cannot be given back.
  private func usableKinds() throws -> (kinds: [LoopDisk.Kind], reasons: [(LoopDisk.Kind, String)]) {
    var kinds: [LoopDisk.Kind] = []
    var reasons: [(LoopDisk.Kind, String)] = []
    for kind in Self.kinds {
      do {
        try makeDisk(kind).unmount()
        kinds.append(kind)
      } catch let skipped as Skipped {
        reasons.append((kind, skipped.reason))
      }
    }
    guard !kinds.isEmpty else {
      throw Skipped(reasons.map { "\($0.0.rawValue): \($0.1)" }.joined(separator: "; "))
    }
    return (kinds, reasons)
  }

  // MARK: Cycles

  private static let unit = "cycles of filling and freeing"

  /// - Parameter isShown: whether all that the process prints is shown.
  private func run(
    _ kind: LoopDisk.Kind,
    cycles: Int,
    environment: [String: String] = [:],
    isShown: Bool = false
  ) throws -> Outcome {
    let path = path(of: kind)
    let disk = try makeDisk(kind)
    defer { try? disk.unmount() }
    try setting.fresh(path + "/stores")
    try setting.fresh(path + "/temporary")
    let child = try ChildRun(
      ["fill", path + "/stores", "--cycles", "\(cycles)", "--seed", "\(setting.seed)"],
      environment: environment.merging(["TMPDIR": path + "/temporary"]) { $1 },
      output: path + "-output",
      seconds: ChildRun.hangLimit + 20 * Double(cycles)
    )
    if isShown { child.lines.forEach { say($0) } }
    var outcome = Outcome(Self.unit)
    // The cycles before one are part of it: they make the store that it begins with.
    func repetition(_ cycles: Int) -> String {
      "--disk \(kind.rawValue) --seed \(setting.seed) --cycles \(max(1, cycles))"
    }
    for line in child.lines {
      if line.hasPrefix("cycle ") { outcome.runs += 1 }
      if line.hasPrefix("count ") {
        outcome.counts["\(kind.rawValue): \(line.dropFirst(6))", default: 0] += 1
      }
      if line.hasPrefix("wrong ") {
        let text = "\(kind.rawValue), cycle \(outcome.runs): \(line)"
        outcome.add("wrong", text, repetition: repetition(outcome.runs))
      }
    }
    if child.end != .exited(0) || child.lines.last != "end" {
      let text = "\(kind.rawValue), cycle \(outcome.runs): \(child.lines.last ?? "")"
      outcome.add("\(child.end)", text, repetition: repetition(outcome.runs))
    } else if cycles >= 10 {
      // What is always done has met no full disk, and what is never done shows nothing of what it leaves.
      for name in ["compaction", "migration"] {
        for result in ["done", "refused"]
        where !outcome.counts.keys.contains(where: {
          $0.hasPrefix("\(kind.rawValue): \(name) ") && $0.contains(" \(result)")
        }) {
          let text = "\(kind.rawValue): a \(name) was never \(result) in \(cycles) cycles"
          outcome.add("never", text, repetition: repetition(cycles))
        }
      }
    }
    return outcome
  }
}
