extension StoreAccess {
  /// Runs a transaction whose body may suspend. It holds no lock. It records its reads, and runs again if
  /// they were changed before its commit.
  ///
  /// ```swift
  /// let points = try await store.runTransaction { transaction in
  ///   guard let user = try transaction.get(User.self, forPrimaryKey: "ada") else { throw UnknownUser() }
  ///   user.points += await bonus(for: user.level)
  ///   try transaction.set(user)
  ///   return user.points
  /// }
  /// ```
  /// Transactions are serializable. Everything that the body has read is unchanged at the commit, including
  /// the results of queries and the absence of objects. This is checked when the writes are committed, in the
  /// same turn of the write queue. Delete rules, limits, unique indexes, derived properties and observers
  /// apply as in every write. Other processes are treated like other tasks.
  ///
  /// Nothing waits for the transaction before the commit, however long the body suspends. The body may run
  /// several times, so it must not have other effects that cannot be repeated. In the body, write to the same
  /// store only with the methods of the transaction; any other write to the store fails with `nestedWrite`.
  ///
  /// Cancelling the task ends the transaction between two attempts, during the wait before the next attempt,
  /// and while its writes wait in the queue.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the maximum number of times that the body runs, at least 1. Between attempts the
  ///     task waits for 10 ms, then twice as long each time, at most 500 ms; half of the time is random.
  ///   - body: receives the attempt.
  /// - Returns: the result of the body.
  /// - Throws: any error of the body, immediately; ``FiefError`` of code `conflict` after the last attempt,
  ///   with the changed objects in `details`; `cancelled`; and the errors of a save. In these cases nothing
  ///   is written.
  @discardableResult
  nonisolated(nonsending)
    public func runTransaction<Value: Sendable>(
      maximumAttempts: Int = 5,
      _ body: @Sendable (OptimisticTransaction) async throws -> Value
    ) async throws -> Value
  {
    let store = store()
    let core = try store.core()
    guard maximumAttempts >= 1 else {
      throw FiefError(
        .invalidValue,
        "A transaction needs at least one attempt.",
        store: core.name,
        details: ["maximumAttempts: \(maximumAttempts)"]
      )
    }
    return try await OptimisticRun(core: core, visible: store.visible)(maximumAttempts: maximumAttempts, body)
  }
}
