import FiefTorture
import Foundation

/// Kills each command of the runner and each step of a migration of three steps, and throws errors in the steps.
struct Commands: TortureTest {
  static let name = "commands"
  static let roles: [String: Role] = [
    "command": { try CommandProcess.run($0) },
    "command-stores": { try CommandProcess.prepare($0.rest.first ?? "") },
    "command-content": { CommandProcess.showContent(of: $0.rest.first ?? "") },
  ]

  private let setting: TortureSetting
  private let runs: CommandRuns

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    runs = try CommandRuns(setting)
  }

  func run() throws -> Outcome {
    say("commands: seed \(setting.seed)")
    var random = TortureRandom(seed: setting.seed)
    var faults: [CommandFault] = []
    let some = setting.effort.count(short: 1, command: 12, night: 50)
    // Not each run makes as many calls as the one that has counted them.
    let tried = some + some / 6
    let inSteps = setting.effort.count(short: 3, command: 40, night: 1_000)
    for command in CommandProcess.Command.allCases {
      let (calls, points, throwing) = try runs.counts(command)
      let failing = try runs.counts(command, .once).calls
      say(
        "commands: \(command.rawValue): \(calls) calls, \(failing) can fail, \(points) points, \(throwing) of them can throw"
      )
      for (mode, calls) in [(CallFault.Mode.kill, calls), (.once, failing)] {
        faults += Self.spread(tried, over: calls, &random).map {
          CommandFault(command, .call(CallFault(error: EIO, mode: mode, call: $0)))
        }
      }
      guard command.hasPoints else { continue }
      faults += Self.spread(min(inSteps, points), over: points, &random).map {
        CommandFault(command, .point(.kill, $0))
      }
      faults += Self.spread(min(inSteps, throwing), over: throwing, &random).map {
        CommandFault(command, .point(.throw, $0))
      }
    }
    let outcome = try runs.runAll(faults)
    if outcome.findings.isEmpty { try findMissing(some, outcome) }
    return outcome
  }

  /// Each command has to have met as many kills and errors as were wanted.
  private func findMissing(_ wanted: Int, _ outcome: Outcome) throws {
    for command in CommandProcess.Command.allCases {
      for mode in [CallFault.Mode.kill, .once] {
        let fault = CommandFault(command, .call(CallFault(error: EIO, mode: mode, call: 1)))
        let count = outcome.counts[fault.nameOfCount] ?? 0
        // A fault of the short form may be one that is not reached.
        guard wanted < 2 || count >= wanted else {
          throw BrokenTest("\(fault.nameOfCount): \(count), \(wanted) are wanted")
        }
      }
    }
  }

  /// A number in each of as many equal parts as are wanted; where there are not so many, each of them in turn.
  private static func spread(_ wanted: Int, over total: Int, _ random: inout TortureRandom) -> [Int] {
    guard total > 0 else { return [] }
    guard wanted <= total else { return (0..<wanted).map { 1 + $0 % total } }
    return (0..<wanted).map { part in
      let (start, end) = (part * total / wanted, (part + 1) * total / wanted)
      return 1 + start + random.next(end - start)
    }
  }

  func control() throws -> ControlOutcome {
    var random = TortureRandom(seed: setting.seed)
    let (_, points, throwing) = try runs.counts(.open, .kill, .steps)
    let count = setting.effort.count(short: 8, command: 20, night: 80)
    let defects: [(PlanPoints.Fault, Int, CommandProcess.Defect)] = [
      (.kill, points, .steps), (.throw, throwing, .caught),
    ]
    let found = try defects.map { fault, total, defect in
      let faults = Self.spread(count, over: total, &random).map { number in
        var fault = CommandFault(.open, .point(fault, number))
        fault.defect = defect
        return fault
      }
      return Set(try runs.runAll(faults).findings.map(\.repetition)).count
    }
    return ControlOutcome(
      defect: "a migration that commits each step by itself, and steps that catch what is thrown in them",
      // Each of the two has to be found.
      found: found.contains { $0 < max(1, count / 4) } ? 0 : found.reduce(0, +),
      runs: 2 * count,
      needed: count / 2
    )
  }

  func runOnce() throws -> Outcome {
    let (outcome, lines) = try runs.run(try CommandFault(setting.arguments), number: 0)
    lines.forEach { say($0) }
    return outcome
  }
}
