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
    let inSteps = setting.effort.count(short: 3, command: 40, night: 1_000)
    for command in CommandProcess.Command.allCases {
      let (calls, points, throwing) = try runs.counts(command)
      say("commands: \(command.rawValue): \(calls) calls, \(points) points, \(throwing) of them can throw")
      for mode in [CallFault.Mode.kill, .once] {
        faults += Self.spread(some, over: calls, &random).map {
          CommandFault(command, .call(CallFault(error: EIO, mode: mode, call: $0)))
        }
      }
      guard command.hasPoints else { continue }
      faults += Self.spread(inSteps, over: points, &random).map { CommandFault(command, .point(.kill, $0)) }
      faults += Self.spread(inSteps, over: throwing, &random).map {
        CommandFault(command, .point(.throw, $0))
      }
    }
    return try runs.runAll(faults)
  }

  /// A number in each of as many equal parts as are wanted; all of them where there are no more.
  private static func spread(_ wanted: Int, over total: Int, _ random: inout TortureRandom) -> [Int] {
    let count = min(wanted, total)
    return (0..<count).map { part in
      let (start, end) = (part * total / count, (part + 1) * total / count)
      return 1 + start + random.next(end - start)
    }
  }

  func control() throws -> ControlOutcome {
    var random = TortureRandom(seed: setting.seed)
    let (_, points, throwing) = try runs.counts(.open, .steps)
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
