public import Fief

/// Controls the write queue of a store in a test.
///
/// ```swift
/// try pets.writes.failNext(1, with: FiefError(.storeFull, "The disk is full."))
/// await model.save()
/// #expect(model.alert == "The disk is full.")
/// ```
public struct WriteControl: Sendable {
  let store: Store

  /// Pauses writes until ``resume()``. Asynchronous writes wait, and synchronous ones block.
  ///
  /// - Throws: `FiefError` if the store is not open.
  public func pause() throws { try store.pauseWrites() }

  /// Resumes writes, even if they were paused several times.
  ///
  /// - Throws: `FiefError` if the store is not open.
  public func resume() throws { try store.resumeWrites() }

  /// Makes the next writes fail without changing anything.
  ///
  /// - Parameters:
  ///   - count: the number of writes to fail, in the order of execution, after the writes of earlier calls.
  ///   - error: the error with which the writes fail.
  /// - Throws: `FiefError` if the store is not open.
  public func failNext(_ count: Int = 1, with error: any Error & Sendable) throws {
    try store.failNextWrites(count, with: error)
  }

  /// Suspends until at least a number of writes wait in the paused queue.
  ///
  /// - Throws: `FiefError` if the store is not open; `CancellationError`.
  nonisolated(nonsending) public func waitUntilPending(_ count: Int = 1) async throws {
    while try statistics.pending < count { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Suspends until no write is running or about to run.
  ///
  /// - Throws: `FiefError` if the store is not open.
  nonisolated(nonsending) public func waitUntilIdle() async throws {
    try await store.waitUntilWritesAreIdle()
  }

  /// The statistics of the queue's work since the store was opened, and the number of waiting writes.
  public var statistics: WriteStatistics {
    get throws { WriteStatistics(try store.writeQueueStatistics()) }
  }
}

extension DatabaseConfigurable {
  /// Controls the write queue of the repository's store, for pausing it and making writes fail.
  public var writes: WriteControl { WriteControl(store: store()) }
}
