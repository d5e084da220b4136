extension DatabaseConfigurable {
  /// Runs an optimistic transaction, whose body may suspend. It holds no lock, records its reads, and runs
  /// again if something that it read has changed before its commit. See
  /// ``Store/runTransaction(maximumAttempts:_:)`` for details.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the maximum number of times that the body runs; at least 1.
  ///   - body: receives the attempt.
  /// - Returns: the result of the body.
  /// - Throws: the error of the body, at once; ``FiefError`` of code `conflict` after the last attempt.
  ///   Nothing is written in these cases.
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
