import LMDB
import Synchronization

/// Counters of reads to which many threads add at the same time. Each thread adds to the counters of a
/// stripe, and two threads seldom share one.
// SAFETY: the memory contains the values that `init` has created in it, and is freed with the object; all
// access is atomic.
final class ReadCounters: @unchecked Sendable {
  /// The counters of a stripe that are not separated by type.
  private struct Stripe: ~Copyable {
    let objects = Atomic<UInt64>(0)
    let links = Atomic<UInt64>(0)
    let lookups = Atomic<UInt64>(0)
    private let unused = Atomic<UInt64>(0)
  }

  /// The counters of a type in a stripe.
  private struct TypeCounters: ~Copyable {
    /// Reads of a single object, which are the most common reads. The upper 24 bits are the number of such
    /// reads and the lower 40 bits their bytes, so one addition counts both.
    let recent = Atomic<UInt64>(0)
    /// The number of reads of a single object that were moved from `recent`.
    let single = Atomic<UInt64>(0)
    /// The number of other reads.
    let reads = Atomic<UInt64>(0)
    let bytes = Atomic<UInt64>(0)
  }

  private static let stripes = 8
  private static let bitsOfBytes: UInt64 = 40
  /// The highest bits of both parts. If one of them is set, the counts are moved, long before a part
  /// overflows.
  private static let fullness: UInt64 = 0xC000_0080_0000_0000
  /// The size of two cache lines, because some processors fetch two together.
  private static let alignment = 128

  private let memory: UnsafeMutableRawPointer
  private let types: Int
  /// The size of a stripe, in bytes.
  private let size: Int
  /// Held while counts are moved, so that a reader never misses counts that are between the two.
  private let moving = OwnedLock(())

  init(types: Int) {
    self.types = types
    let used = MemoryLayout<Stripe>.stride + types * MemoryLayout<TypeCounters>.stride
    size = (used + Self.alignment - 1) / Self.alignment * Self.alignment
    memory = .allocate(byteCount: size * Self.stripes, alignment: Self.alignment)
    for index in 0..<Self.stripes {
      stripe(index).initialize(to: Stripe())
      for type in 0..<types { counters(index, type).initialize(to: TypeCounters()) }
    }
  }

  deinit {
    for index in 0..<Self.stripes {
      stripe(index).deinitialize(count: 1)
      counters(index, 0).deinitialize(count: types)
    }
    memory.deallocate()
  }

  @inline(__always)
  private func stripe(_ index: Int) -> UnsafeMutablePointer<Stripe> {
    (memory + (index &* size)).assumingMemoryBound(to: Stripe.self)
  }

  @inline(__always)
  private func counters(_ index: Int, _ type: Int) -> UnsafeMutablePointer<TypeCounters> {
    let first = memory + (index &* size &+ MemoryLayout<Stripe>.stride)
    return first.assumingMemoryBound(to: TypeCounters.self) + type
  }

  /// The index of this thread's stripe.
  @inline(__always)
  private var own: Int {
    // The descriptions of threads are far apart, at addresses whose lower bits are alike.
    Int(truncatingIfNeeded: (currentThread() &* 0x9E37_79B9_7F4A_7C15) >> 61)
  }

  /// Counts a lookup by key that found its object.
  @inline(__always)
  func addPointRead(ofTable table: Int, bytes: Int) {
    guard table >= 0, table < types, bytes >= 0, bytes >> 32 == 0 else {
      return addLarge(ofTable: table, bytes)
    }
    let counters = counters(own, table)
    let added = 1 << Self.bitsOfBytes | UInt64(truncatingIfNeeded: bytes)
    let sum = counters.pointee.recent.wrappingAdd(added, ordering: .relaxed).newValue
    if _slowPath(sum & Self.fullness != 0) { move(counters) }
  }

  @inline(never)
  private func addLarge(ofTable table: Int, _ bytes: Int) {
    add(ReadTally(objects: 1, lookups: 1))
    add(ReadCosts.Cost(table: table, reads: 1, bytes: bytes))
  }

  @inline(never)
  private func move(_ counters: UnsafeMutablePointer<TypeCounters>) {
    moving.withLock { _ in
      let sum = counters.pointee.recent.exchange(0, ordering: .relaxed)
      counters.pointee.single.wrappingAdd(sum >> Self.bitsOfBytes, ordering: .relaxed)
      counters.pointee.bytes.wrappingAdd(sum & (1 << Self.bitsOfBytes - 1), ordering: .relaxed)
    }
  }

  func add(_ tally: ReadTally) {
    let stripe = stripe(own)
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

  func add(_ cost: ReadCosts.Cost) {
    guard cost.table >= 0, cost.table < types else { return }
    let counters = counters(own, cost.table)
    counters.pointee.reads.wrappingAdd(UInt64(truncatingIfNeeded: cost.reads), ordering: .relaxed)
    if cost.bytes > 0 {
      counters.pointee.bytes.wrappingAdd(UInt64(truncatingIfNeeded: cost.bytes), ordering: .relaxed)
    }
  }

  func add(to metrics: inout StoreMetrics) {
    for index in 0..<Self.stripes {
      let stripe = stripe(index)
      metrics.objectsRead += stripe.pointee.objects.load(ordering: .relaxed)
      metrics.lookups += stripe.pointee.lookups.load(ordering: .relaxed)
      metrics.linksFollowed += stripe.pointee.links.load(ordering: .relaxed)
    }
    forEach { _, single, _, bytes in
      metrics.objectsRead += single
      metrics.lookups += single
      metrics.bytesRead += bytes
    }
  }

  /// - Parameter counts: the counts of each table.
  func add(to counts: inout [Usage.Counts]) {
    forEach { type, single, reads, bytes in
      counts[type].reads += single + reads
      counts[type].bytesRead += bytes
    }
  }

  private func forEach(
    _ body: (_ type: Int, _ single: UInt64, _ reads: UInt64, _ bytes: UInt64) -> Void
  ) {
    moving.withLock { _ in
      for index in 0..<Self.stripes {
        for type in 0..<types {
          let counters = counters(index, type)
          let recent = counters.pointee.recent.load(ordering: .relaxed)
          body(
            type,
            counters.pointee.single.load(ordering: .relaxed) + recent >> Self.bitsOfBytes,
            counters.pointee.reads.load(ordering: .relaxed),
            counters.pointee.bytes.load(ordering: .relaxed) + recent & (1 << Self.bitsOfBytes - 1)
          )
        }
      }
    }
  }
}
