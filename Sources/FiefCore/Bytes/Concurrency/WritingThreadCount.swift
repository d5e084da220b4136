import Synchronization

/// The number of threads that run the closure of a write.
enum WritingThreadCount {
  static let count = Atomic<Int>(0)

  /// Has all later reads of properties look at their object first, as while a thread writes.
  static let keepsCounting: Void = { _ = count.add(1, ordering: .relaxed) }()
}

/// Whether the closure of a write runs on any thread. The result is exact for the calling thread and may be outdated for others.
///
/// Each read of a property asks this. The declared effect lets the compiler keep a loop over objects free of reference
/// counting, which an atomic load in the loop itself would need.
@_effects(readonly) @inline(never) @usableFromInline
func isAnyThreadWriting() -> Bool { WritingThreadCount.count.load(ordering: .relaxed) != 0 }
