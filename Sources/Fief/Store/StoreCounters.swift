/// What was read from and written to a store since it was opened.
public struct StoreMetrics: Sendable, Equatable {
  /// Committed transactions.
  public internal(set) var commits: UInt64 = 0
  /// Pieces of work in those transactions.
  public internal(set) var writes: UInt64 = 0
  /// Pieces of work that failed.
  public internal(set) var failures: UInt64 = 0
  /// The objects that queries have found, before bounds, offsets and limits that their way did not know of; those
  /// that did not fulfil the conditions are not among them.
  public internal(set) var visitedRows: UInt64 = 0
}

final class StoreCounters: Sendable {
  private let state = OwnedLock(StoreMetrics())

  var current: StoreMetrics { state.withLock { $0 } }

  func count(visitedRows: Int) { state.withLock { $0.visitedRows += UInt64(visitedRows) } }

  func count(works: Int, failures: Int) {
    state.withLock {
      if works > failures { $0.commits += 1 }
      $0.writes += UInt64(works - failures)
      $0.failures += UInt64(failures)
    }
  }
}
