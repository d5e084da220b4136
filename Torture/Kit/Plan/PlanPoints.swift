import Fief
import Foundation
import LMDB

/// The named points of a migration, at one of which the process is killed or an error is thrown.
package enum PlanPoints {
  package enum Fault: String, Sendable { case kill, `throw` }

  /// The error of a step.
  package struct Thrown: Error {}

  private struct State {
    var fault: Fault?
    var at = 0
    var catchesErrors = false
    /// The points so far, and those of them that can throw.
    var points = 0
    var throwing = 0
  }

  private static let state = OwnedLock(State())

  /// - Parameters:
  ///   - at: the number of the point, from 1; for a thrown error among those that can throw.
  ///   - catchesErrors: whether a step catches what is thrown in it: the defect of a control.
  package static func set(_ fault: Fault?, at: Int, catchesErrors: Bool) {
    state.withLock { $0 = State(fault: fault, at: at, catchesErrors: catchesErrors) }
  }

  /// The numbers of points, all and those that can throw.
  package static var counts: (all: Int, throwing: Int) { state.withLock { ($0.points, $0.throwing) } }

  /// A point inside of a step.
  package static func reach(_ name: String) throws {
    pass(name)
    let throwsNow = state.withLock { state in
      state.throwing += 1
      return state.fault == .throw && state.throwing == state.at
    }
    guard throwsNow else { return }
    note("throws at \(name)")
    throw Thrown()
  }

  /// A point at which nothing can be thrown.
  package static func pass(_ name: String) {
    let isKilled = state.withLock { state in
      state.points += 1
      return state.fault == .kill && state.points == state.at
    }
    guard isKilled else { return }
    note("killed at \(name)")
    kill(getpid(), SIGKILL)
  }

  /// Runs a step.
  static func step(_ body: () throws -> Void) throws {
    do { try body() } catch is Thrown where state.withLock({ $0.catchesErrors }) {}
  }

  private static func note(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
