import Dispatch
import LMDB
import Synchronization

/// A timer that ends the reads of long loops, so that they do not make the file grow. The loops keep keys
/// instead.
final class LoopSweep: Sendable {
  private static let seconds = 5

  private let isScheduled = Atomic(false)

  /// Checks the reads of loops every few seconds, as long as there are any.
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
