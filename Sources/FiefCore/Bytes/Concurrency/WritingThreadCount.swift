import Synchronization

/// The number of threads that run the closure of a write.
enum WritingThreadCount {
  static let count = Atomic<Int>(0)

  /// Makes all later reads of properties check their object first, as they do while a thread writes.
  static let keepsCounting: Void = { _ = count.add(1, ordering: .relaxed) }()
}

/// Whether the closure of a write runs on any thread. The result is exact for the calling thread and may be
/// outdated for other threads.
///
/// Each read of a property calls this function. The declared effect lets the compiler keep a loop over
/// objects free of reference counting, which would be necessary with an atomic load in the loop itself.
@_effects(readonly) @inline(never) @usableFromInline
func isAnyThreadWriting() -> Bool { WritingThreadCount.count.load(ordering: .relaxed) != 0 }
