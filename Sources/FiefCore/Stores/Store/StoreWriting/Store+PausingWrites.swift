/// Control of the write queue for tests.
extension Store {
  /// Prevents writes from beginning until ``resumeWrites()``.
  package func pauseWrites() throws { try core().queue().pause() }

  /// Allows writes to begin again.
  package func resumeWrites() throws { try core().queue().resume() }

  /// Makes the next writes fail with an error, without changing anything.
  package func failNextWrites(_ count: Int, with error: any Error & Sendable) throws {
    try core().queue().failNext(count, with: error)
  }

  /// Suspends until no write is running or about to run.
  nonisolated(nonsending) package func waitUntilWritesAreIdle() async throws {
    await (try core().queue()).waitUntilIdle()
  }

  /// Returns the counts of the write queue's work so far, and of the items that it contains.
  package func writeQueueStatistics() throws -> WriteQueueStatistics { try core().queue().statistics }
}
