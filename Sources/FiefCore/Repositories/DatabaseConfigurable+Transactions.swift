extension DatabaseConfigurable {
  /// Runs a transaction whose body may suspend: it holds no lock, notes what it reads, and runs again where that was changed
  /// before its commit. ``Store/runTransaction(maximumAttempts:_:)`` says all of it.
  ///
  /// - Parameters:
  ///   - maximumAttempts: how often the body runs at most, 1 at least.
  ///   - body: gets the attempt.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, at once; ``FiefError`` of code `conflict` after the last attempt. Nothing is written then.
  @discardableResult
  nonisolated(nonsending)
    public func runTransaction<Value: Sendable>(
      maximumAttempts: Int = 5,
      _ body: @Sendable (OptimisticTransaction) async throws -> Value
    ) async throws -> Value
  {
    try await store().runTransaction(maximumAttempts: maximumAttempts, body)
  }
}
