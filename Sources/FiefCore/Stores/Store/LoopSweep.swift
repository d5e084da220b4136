import Dispatch
import LMDB
import Synchronization

/// Ends the reads of loops that last long, so that they do not keep the file growing: the loops keep keys instead.
final class LoopSweep: Sendable {
  private static let seconds = 5

  private let isScheduled = Atomic(false)

  /// Looks at the reads of loops now and then, as long as there are any.
  func begin(_ environment: LMDB.Environment) {
    if isScheduled.load(ordering: .relaxed) || isScheduled.exchange(true, ordering: .relaxed) { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Self.seconds)) {
      [self, weak environment] in
      guard let environment else { return }
      isScheduled.store(false, ordering: .sequentiallyConsistent)
      if environment.keptReads.end(olderThan: Int64(Self.seconds) * 1_000_000_000) { begin(environment) }
    }
  }
}
