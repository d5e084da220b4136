extension Store {
  /// Runs a transaction whose body may suspend: it holds no lock, notes what it reads, and runs again where that was changed
  /// before its commit.
  ///
  /// ```swift
  /// let points = try await store.runTransaction { transaction in
  ///   guard let user = try transaction.get(User.self, forPrimaryKey: "ada") else { throw UnknownUser() }
  ///   user.points += await bonus(for: user.level)
  ///   try transaction.set(user)
  ///   return user.points
  /// }
  /// ```
  /// Transactions are serialisable: all that the body has read, also that there was no object and which objects a query has
  /// found, is the same at the commit, and the writes are committed together with that comparison, in the queue's turn.
  /// Delete rules, limits, unique indexes, derived properties and observers take part as in every write. Other
  /// processes count as other tasks do.
  ///
  /// Until the commit nothing waits for the transaction, however long the body suspends. Since the body may run several times,
  /// keep effects on the world outside of it; writes to the same store inside of it are the error `nestedWrite`, but for
  /// the methods of the transaction.
  ///
  /// Cancelling the task ends the transaction between two attempts, in the wait before the next one, and as long as its writes
  /// wait in the queue.
  ///
  /// - Parameters:
  ///   - maximumAttempts: how often the body runs at most, 1 at least. Between attempts the task waits for 10 ms, then twice as
  ///     long each time, at most 500 ms; half of that is random.
  ///   - body: gets the attempt.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, at once; ``FiefError`` of code `conflict` after the last attempt, with the objects that were
  ///   changed in `details`; `cancelled`; and what a save throws. Nothing is written then.
  @discardableResult
  nonisolated(nonsending)
    public func runTransaction<Value: Sendable>(
      maximumAttempts: Int = 5,
      _ body: @Sendable (OptimisticTransaction) async throws -> Value
    ) async throws -> Value
  {
    let core = try core()
    guard maximumAttempts >= 1 else {
      throw FiefError(
        .invalidValue,
        "A transaction needs one attempt at least.",
        store: core.name,
        details: ["maximumAttempts: \(maximumAttempts)"]
      )
    }
    return try await OptimisticRun(core: core, visible: visible)(maximumAttempts: maximumAttempts, body)
  }
}
