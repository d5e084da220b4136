import FiefTorture
import Foundation

/// Fills the disk of a store and frees it again: what was acknowledged stays, deletions work, and all else fails with an error that says why.
struct DiskFull: TortureTest {
  static let name = "disk-full"
  static let roles: [String: Role] = ["fill": { try FillProcess.run($0) }]

  private let setting: TortureSetting
  private let preload: String

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    preload = try setting.preload("failing_calls")
  }

  func run() throws -> Outcome {
    say("disk-full: seed \(setting.seed)")
    let cycles = setting.effort.count(short: 4, command: 20, night: 100)
    return try setting.forEach([LoopDisk.Kind.tmpfs, .ext4], unit: "cycles of filling and freeing") {
      kind,
      _ in
      try run(kind, cycles: cycles, environment: [:])
    }
  }

  func control() throws -> ControlOutcome {
    // Writes are swallowed from the hundredth on.
    let lie = CallFault(error: ENOSPC, mode: .swallow, call: 100)
    let report = "\(setting.work)/report"
    let outcome = try run(
      .tmpfs,
      cycles: 1,
      environment: lie.environment(preload: preload, directory: "\(setting.work)/tmpfs", report: report)
    )
    return ControlOutcome(
      defect: "writes that report success and write nothing",
      found: outcome.findings.isEmpty ? 0 : 1,
      runs: 1,
      needed: 1
    )
  }

  private func run(_ kind: LoopDisk.Kind, cycles: Int, environment: [String: String]) throws -> Outcome {
    let path = "\(setting.work)/\(kind.rawValue)"
    let disk = try LoopDisk(kind, image: path + ".img", path: path, megabytes: 24)
    defer { try? disk.unmount() }
    try setting.fresh(path + "/stores")
    try setting.fresh(path + "/temporary")
    let child = try ChildRun(
      ["fill", path + "/stores", "--cycles", "\(cycles)", "--seed", "\(setting.seed)"],
      environment: environment.merging(["TMPDIR": path + "/temporary"]) { $1 },
      output: path + "-output",
      seconds: 60 + 10 * Double(cycles)
    )
    var outcome = Outcome("cycles of filling and freeing")
    let repetition = "--seed \(setting.seed)"
    for line in child.lines {
      if line.hasPrefix("cycle ") { outcome.runs += 1 }
      if line.hasPrefix("count ") {
        outcome.counts["\(kind.rawValue): \(line.dropFirst(6))", default: 0] += 1
      }
      if line.hasPrefix("wrong ") {
        outcome.add("wrong", "\(kind.rawValue): \(line)", repetition: repetition)
      }
    }
    if child.end != .exited(0) || child.lines.last != "end" {
      outcome.add("\(child.end)", "\(kind.rawValue): \(child.lines.last ?? "")", repetition: repetition)
    }
    return outcome
  }
}
