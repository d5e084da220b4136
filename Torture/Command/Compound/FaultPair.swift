import FiefTorture
import Foundation

/// Two faults, one after the other, of the stores of the workload or of a command.
enum FaultPair: Sendable {
  case workload(CallFault, StoreContent.Defect?)
  case command(CommandFault)

  typealias Kind = (error: Int32, mode: CallFault.Mode)

  /// The kind of the second fault, and its call.
  private var second: (kind: Kind, call: Int) {
    get {
      switch self {
      case .workload(let fault, _):
        ((fault.recovery?.error ?? EIO, fault.recovery?.mode ?? .kill), fault.recovery?.call ?? 0)
      case .command(let fault):
        ((fault.second?.fault.error ?? EIO, fault.second?.fault.mode ?? .kill), fault.second?.fault.call ?? 0)
      }
    }
    set {
      switch self {
      case .workload(var fault, let defect):
        fault.recovery = CallFault.Recovery(
          error: newValue.kind.error,
          mode: newValue.kind.mode,
          call: newValue.call
        )
        self = .workload(fault, defect)
      case .command(var fault):
        fault.second?.fault = CallFault(
          error: newValue.kind.error,
          mode: newValue.kind.mode,
          call: newValue.call
        )
        self = .command(fault)
      }
    }
  }

  func run(_ workload: CallFaults, _ runs: CommandRuns, number: Int) throws
    -> (outcome: Outcome, lines: [String])
  {
    switch self {
    case .workload(let fault, let defect):
      let (outcome, _, lines) = try workload.run(fault, number: number, defect: defect)
      return (outcome, lines)
    case .command(let fault): return try runs.run(fault, number: number)
    }
  }

  /// The pair whose second fault is one of the calls of the second process: the first fault runs without it before.
  func placed(_ workload: CallFaults, _ runs: CommandRuns, number: Int) throws -> FaultPair {
    var pair = self
    var total = try pair.numberOfCalls(workload, runs, number: number)
    if total == 0 {
      // The process makes no call that can have this error.
      pair.second.kind = (EIO, .once)
      total = try pair.numberOfCalls(workload, runs, number: number)
    }
    pair.second.call = 1 + second.call % max(1, total)
    return pair
  }

  private func numberOfCalls(_ workload: CallFaults, _ runs: CommandRuns, number: Int) throws -> Int {
    switch self {
    case .workload(let fault, _):
      guard let second = fault.recovery else { return 0 }
      return try workload.numberOfRecoveryCalls(fault, second, number: number)
    case .command(let fault):
      guard let second = fault.second else { return 0 }
      return try runs.numberOfCalls(second, after: fault, number: number)
    }
  }
}
