import LMDB
import Synchronization

/// The counts of reads and writes of a store since it was opened.
public struct StoreMetrics: Sendable, Equatable {
  /// Committed transactions.
  public internal(set) var commits: UInt64 = 0
  /// Pieces of work in those transactions.
  public internal(set) var writes: UInt64 = 0
  /// Pieces of work that failed.
  public internal(set) var failures: UInt64 = 0
  /// The objects that queries have found, before bounds, offsets and limits that their access path did not
  /// apply; those that did not fulfil the conditions are not among them.
  public internal(set) var matchedRows: UInt64 = 0
  /// The objects that were made from records. One that a scope had already is not made again.
  public internal(set) var objectsRead: UInt64 = 0
  /// The targets of links that were looked up; links that were not touched do not count.
  public internal(set) var linksFollowed: UInt64 = 0
  /// The number of lookups of objects in the store: the rows of a query, a lookup by a key, and lookups of
  /// many keys in their order count as one each.
  public internal(set) var lookups: UInt64 = 0
}

/// The reads of one scope, or of one piece of a read: plain numbers, which go to the store's counters at its end.
struct ReadTally {
  var objects = 0
  var links = 0
  var lookups = 0

  var isEmpty: Bool { objects | links | lookups == 0 }
}

final class StoreCounters: Sendable {
  private let state = OwnedLock(StoreMetrics())
  private let reads = ReadCounters()

  var current: StoreMetrics {
    var metrics = state.withLock { $0 }
    reads.add(to: &metrics)
    return metrics
  }

  func count(matchedRows: Int) { state.withLock { $0.matchedRows += UInt64(matchedRows) } }

  func count(works: Int, failures: Int) {
    state.withLock {
      if works > failures { $0.commits += 1 }
      $0.writes += UInt64(works - failures)
      $0.failures += UInt64(failures)
    }
  }

  @inline(__always)
  func add(_ tally: ReadTally) { if !tally.isEmpty { reads.add(tally) } }
}

/// Counters that many threads add to at the same time: each adds to those of a stripe, and two seldom share one.
// SAFETY: `stripes` has `count` of them, initialised by `init` and freed with the object; all access is atomic.
private final class ReadCounters: @unchecked Sendable {
  /// Counters as large as two lines of a processor's cache, since some processors fetch two together.
  private struct Stripe: ~Copyable {
    /// Reads of one object each, as most are that are not counted together.
    let single = Atomic<UInt64>(0)
    let objects = Atomic<UInt64>(0)
    let links = Atomic<UInt64>(0)
    let lookups = Atomic<UInt64>(0)
    private let padding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private let lastPadding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  }

  private static let count = 8
  private let stripes = UnsafeMutablePointer<Stripe>.allocate(capacity: ReadCounters.count)

  init() {
    for index in 0..<Self.count { (stripes + index).initialize(to: Stripe()) }
  }

  deinit {
    stripes.deinitialize(count: Self.count)
    stripes.deallocate()
  }

  @inline(__always)
  func add(_ tally: ReadTally) {
    // The descriptions of threads are far from each other, at addresses that are alike in their lower bits.
    let thread = AccessScope.currentThread &* 0x9E37_79B9_7F4A_7C15
    let stripe = stripes + Int(truncatingIfNeeded: thread >> 61)
    if tally.objects == 1, tally.lookups == 1, tally.links == 0 {
      stripe.pointee.single.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if tally.objects > 0 {
      stripe.pointee.objects.wrappingAdd(UInt64(truncatingIfNeeded: tally.objects), ordering: .relaxed)
    }
    if tally.links > 0 {
      stripe.pointee.links.wrappingAdd(UInt64(truncatingIfNeeded: tally.links), ordering: .relaxed)
    }
    if tally.lookups > 0 {
      stripe.pointee.lookups.wrappingAdd(UInt64(truncatingIfNeeded: tally.lookups), ordering: .relaxed)
    }
  }

  func add(to metrics: inout StoreMetrics) {
    for index in 0..<Self.count {
      let stripe = stripes + index
      let single = stripe.pointee.single.load(ordering: .relaxed)
      metrics.objectsRead += single + stripe.pointee.objects.load(ordering: .relaxed)
      metrics.lookups += single + stripe.pointee.lookups.load(ordering: .relaxed)
      metrics.linksFollowed += stripe.pointee.links.load(ordering: .relaxed)
    }
  }
}
