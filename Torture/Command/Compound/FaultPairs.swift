import FiefTorture
import Foundation

/// Chooses pairs of faults by a seed.
///
/// The call of the second one is a large number; ``FaultPair/placed(_:_:number:)`` makes it one of those that are there.
struct FaultPairs {
  private static let kill: FaultPair.Kind = (EIO, .kill)
  private static let errors: [FaultPair.Kind] = [
    (EIO, .once), (EIO, .ever), (ENOSPC, .once), (ENOSPC, .ever),
  ]
  private static let migrations: [CommandProcess.Command] = [.migrate, .open, .rollback, .restore]

  private var random: TortureRandom
  /// The number of calls of the workload, and those of its write to two stores.
  private let workload: Int
  private let joint: Range<Int>
  private let calls: [CommandProcess.Command: Int]

  init(seed: Int, _ workload: CallFaults, _ runs: CommandRuns) throws {
    random = TortureRandom(seed: seed)
    let total = try workload.numberOfCalls(EIO, .kill)
    let step = TortureSteps.jointWrite
    let start = try workload.numberOfCalls(EIO, .kill, steps: step)
    let end = try workload.numberOfCalls(EIO, .kill, steps: step + 1)
    guard start < end, end <= total else { throw BrokenTest("the write to two stores has no calls") }
    (self.workload, joint) = (total, start..<end)
    calls = Dictionary(
      uniqueKeysWithValues: try CommandProcess.Command.allCases.map { ($0, try runs.counts($0).calls) }
    )
  }

  /// In turn: the workload and an opening, its write to two stores and an opening, a killed migration and the same again, any command
  /// and an opening.
  mutating func next(_ number: Int) -> FaultPair {
    switch number % 4 {
    case 0:
      let call = 1 + random.next(workload)
      return openings(random.next(3) == 0 ? (EIO, .once) : Self.kill, call, kind())
    case 1:
      return openings(Self.kill, joint.lowerBound + random.next(joint.count), kind())
    case 2:
      return command(Self.migrations[random.next(Self.migrations.count)], Self.kill, isCommand: true, kind())
    default:
      let all = CommandProcess.Command.allCases
      return command(all[random.next(all.count)], kind(), isCommand: false, kind())
    }
  }

  /// A store is deleted when it cannot be opened.
  mutating func deletingStores() -> FaultPair {
    // The second half of the workload: there is something to delete.
    let call = workload / 2 + random.next(workload / 2)
    guard case .workload(let fault, _) = openings(Self.kill, call, (EIO, .once)) else { return next(0) }
    return .workload(fault, .deletes)
  }

  /// The second migration commits each step by itself.
  mutating func migratingInSteps() -> FaultPair {
    guard case .command(var fault) = command(.open, Self.kill, isCommand: true, Self.kill) else {
      return next(0)
    }
    fault.second?.defect = .steps
    return .command(fault)
  }

  private mutating func kind() -> FaultPair.Kind {
    random.next(2) == 0 ? Self.kill : Self.errors[random.next(Self.errors.count)]
  }

  private mutating func openings(_ first: FaultPair.Kind, _ call: Int, _ second: FaultPair.Kind) -> FaultPair
  {
    var fault = CallFault(error: first.error, mode: first.mode, call: call)
    fault.recovery = CallFault.Recovery(error: second.error, mode: second.mode, call: random.next(1_000_000))
    return .workload(fault, nil)
  }

  private mutating func command(
    _ command: CommandProcess.Command,
    _ first: FaultPair.Kind,
    isCommand: Bool,
    _ second: FaultPair.Kind
  ) -> FaultPair {
    let total = calls[command] ?? 1
    // Fewer calls can end with ENOSPC.
    let call = 1 + random.next(first.error == ENOSPC ? max(1, total / 8) : total)
    let fault = CallFault(error: second.error, mode: second.mode, call: random.next(1_000_000))
    return .command(
      CommandFault(
        command,
        .call(CallFault(error: first.error, mode: first.mode, call: call)),
        CommandFault.Second(isCommand: isCommand, fault: fault)
      )
    )
  }
}
