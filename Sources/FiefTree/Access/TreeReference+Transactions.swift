import Fief

extension TreeReference {
  /// Replaces the value of the place by a value that a function computes from it.
  ///
  /// ```swift
  /// let result = try await post.runTransaction { post in
  ///   post["starCount"] = .int((post["starCount"].int ?? 0) + 1)
  ///   return .commit
  /// }
  /// ```
  /// The function receives the value of the store, in which nodes are objects, or ``JSON/null`` if nothing is
  /// there. It runs inside of the write, in the turn of this write, so no other task or process changes the
  /// tree until it returns. It must not wait, and it must accept any value and several calls: it runs again
  /// if the store has to grow, and with a server it may run first with an older value. If it returns
  /// ``TreeTransaction/Step/abort``, nothing changes, and the result has the present value.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the maximum number of further runs if a server has another value than the function
  ///     received; at least 0. A tree without a server runs the function once.
  ///   - applyLocally: whether listeners see a result before a server has accepted it. It has no effect in a
  ///     tree without a server.
  ///   - update: changes the value, and returns whether to store it.
  /// - Returns: the outcome, with the value at the end of the transaction.
  /// - Throws: the error of the function; the errors of ``setValue(_:)`` for its result, and of ``value(source:)``;
  ///   `FiefError` of code `invalidValue` for a negative number of attempts. Nothing is then changed. A write
  ///   to a store inside of the function throws `nestedWrite`.
  nonisolated(nonsending) public func runTransaction(
    maximumAttempts: Int = 25,
    applyLocally: Bool = true,
    _ update: @escaping @Sendable (inout JSON) throws -> TreeTransaction.Step
  ) async throws -> TreeTransaction {
    let transaction = try StoredTransaction(self, maximumAttempts, applyLocally, update)
    let (store, core) = try tree.origin.store()
    _ = try await core.submit(transaction.work(of: store))
    return try transaction.result()
  }

  /// Replaces the value of the place by a value that a function computes, and blocks until the commit is
  /// durable. See ``runTransaction(maximumAttempts:applyLocally:_:)``.
  public func runTransactionAndWait(
    maximumAttempts: Int = 25,
    applyLocally: Bool = true,
    _ update: @escaping @Sendable (inout JSON) throws -> TreeTransaction.Step
  ) throws -> TreeTransaction {
    let transaction = try StoredTransaction(self, maximumAttempts, applyLocally, update)
    let (store, core) = try tree.origin.store()
    _ = try core.submit(transaction.work(of: store))
    return try transaction.result()
  }
}

/// A transaction as an item of work for the write queue.
private struct StoredTransaction: Sendable {
  private let reference: TreeReference
  private let maximumAttempts: Int
  private let applyLocally: Bool
  private let update: @Sendable (inout JSON) throws -> TreeTransaction.Step
  /// The result of the last attempt to commit.
  private let last = Lock<TreeTransaction?>(nil)

  /// - Throws: `FiefError` of code `treeTooDeep` or `invalidValue`.
  init(
    _ reference: TreeReference,
    _ maximumAttempts: Int,
    _ applyLocally: Bool,
    _ update: @escaping @Sendable (inout JSON) throws -> TreeTransaction.Step
  ) throws {
    try reference.location.checkDepth()
    if maximumAttempts < 0 {
      throw FiefError(
        .invalidValue,
        "The number of attempts is negative.",
        details: ["attempts: \(maximumAttempts)"]
      )
    }
    self.reference = reference
    self.maximumAttempts = maximumAttempts
    self.applyLocally = applyLocally
    self.update = update
  }

  func work(of store: Store) -> WriteWork {
    .body({ [visible = store.visible] in try run(in: $0.seeing(visible)) })
  }

  private func run(in scope: WriteTransaction) throws {
    // The function receives the value, so a client needs the right to read it. The right to write may depend on
    // the result, so it is checked when the result is stored.
    try reference.client?.checkRead(of: reference.location, in: try TreeNodes(in: scope))
    var authority = StoreAuthority(path: reference.location, client: reference.client, scope: scope)
    let (outcome, attempts) = try authority.run(
      maximumAttempts: maximumAttempts,
      applyLocally: applyLocally,
      update
    )
    if case .failed(let code) = outcome { throw error(code, in: scope) }
    let snapshot = TreeSnapshot(reference: reference, json: try authority.value())
    last.withLock {
      $0 = TreeTransaction(committed: outcome == .committed, snapshot: snapshot, attempts: attempts)
    }
  }

  private func error(_ code: FiefError.Code, in scope: AccessScope) -> FiefError {
    FiefError(
      code,
      "A transaction of a tree was not accepted.",
      store: scope.store.name,
      details: ["path: " + HiddenValue.text(reference.path)]
    )
  }

  /// Returns the result after the work has succeeded.
  func result() throws -> TreeTransaction {
    guard let result = last.withLock({ $0 }) else {
      throw FiefError(.storage, "A transaction of a tree has no result.")
    }
    return result
  }
}
