public import Fief

/// The write queue of a store in the hands of a test.
///
/// ```swift
/// try pets.writes.failNext(1, with: FiefError(.storeFull, "The disk is full."))
/// await model.save()
/// #expect(model.alert == "The disk is full.")
/// ```
public struct WriteControl: Sendable {
  let store: Store

  /// Lets no write begin until ``resume()``; those of asynchronous callers wait, synchronous ones block.
  ///
  /// - Throws: `FiefError` where the store is not open.
  public func pause() throws { try store.pauseWrites() }

  /// Lets writes begin again, however often they were paused.
  ///
  /// - Throws: `FiefError` where the store is not open.
  public func resume() throws { try store.resumeWrites() }

  /// Makes the next writes fail; they change nothing.
  ///
  /// - Parameters:
  ///   - count: the number of works, in the order of execution, after those of earlier calls.
  ///   - error: the error that they fail with.
  /// - Throws: `FiefError` where the store is not open.
  public func failNext(_ count: Int = 1, with error: any Error & Sendable) throws {
    try store.failNextWrites(count, with: error)
  }

  /// Suspends until at least a number of writes wait in the paused queue.
  ///
  /// - Throws: `FiefError` where the store is not open; `CancellationError`.
  nonisolated(nonsending) public func waitUntilPending(_ count: Int = 1) async throws {
    while try statistics.pending < count { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Suspends until no write runs or is about to.
  ///
  /// - Throws: `FiefError` where the store is not open.
  nonisolated(nonsending) public func waitUntilIdle() async throws {
    try await store.waitUntilWritesAreIdle()
  }

  /// The counts of the queue's work since the store was opened, and of the writes that it holds.
  public var statistics: WriteStatistics {
    get throws { WriteStatistics(try store.writeQueueStatistics()) }
  }
}

extension DatabaseConfigurable {
  /// The write queue of the repository's store, to pause it and to make it fail.
  public var writes: WriteControl { WriteControl(store: store()) }
}
