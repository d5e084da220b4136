import FiefCore

/// Writes to several stores: every store gets its changes in the end, or none does.
///
/// Each store is an LMDB environment of its own, and no transaction covers two of them. A write to several stores
/// is a protocol between their transactions. It guarantees, also where the process is killed at any moment:
/// - Success means that all stores have the changes, durably, each as its own options say.
/// - An error other than ``FiefError/Code/unfinishedWrite`` and ``FiefError/Code/unknownOutcome`` means that none has
///   any, and none will.
/// - What the closure or the checks refuse (a duplicate key, a missing value, a store at its limit) is
///   found before the decision.
/// - After a crash a store that has the beginning of a write completes it, if it was decided, or drops it: when
///   the store is next opened for writing, or next written to, by whatever process. Until then it reads as it
///   was before. The first store that is locked, the coordinator, also completes the others when it is opened.
/// - ``FiefError/Code/unfinishedWrite`` means that the write takes place, and that a store could not take its part
///   yet: its disk is full, for example. It takes it when it is next written to or opened.
///
/// There is no common snapshot: between the commits of two stores, a reader sees the one with the changes and
/// the other without them. Observers of a store are notified of its part after all commits, and not of a part
/// that was completed after a crash. There are no links, no delete rules and no uniqueness across stores; for
/// references see ``CrossStoreLink``. Copies of the stores that were made one after the other, such as
/// backups, may have the write in one of them only.
///
/// It costs two commits for the first store, two for each of the others, and the bytes of the changes in the
/// others once more. While it runs there is no other write to any of the stores. The closure writes to these
/// only through their transactions, and to no other store: that is ``FiefError/Code/nestedWrite``, since two
/// threads could wait for each other.
extension StoreManager {
  /// Calls a closure with a write transaction of each store, on this thread; all of them commit, or none.
  ///
  /// The closure may run again from its start when a store has to grow, or when a write of another process has to be
  /// completed first.
  ///
  /// - Parameters:
  ///   - repositories: the descriptions of the stores, the manager's or others; each store once. Values whose
  ///     type and name the manager has are its own, in the closure too.
  ///   - body: gets the transactions.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, with nothing changed in any store; ``FiefError`` of code `nestedWrite`
  ///   inside of another write; `unfinishedWrite`, `unknownOutcome`, see above; `blockedByUnfinishedWrite` where an
  ///   earlier one has to be finished first and could not be.
  @discardableResult
  public func write<Value>(
    to repositories: [any DatabaseConfigurable],
    _ body: (MultiStoreTransaction) throws -> Value
  ) throws -> Value {
    try use { try JointWriter.write(to: repositories.map { $0.store() }, body) }
  }

  /// Calls a closure with a write transaction of each of two stores, on this thread; both commit, or none.
  ///
  /// - Throws: as the form for any number of stores.
  @discardableResult
  public func write<Value>(
    to first: some DatabaseConfigurable,
    and second: some DatabaseConfigurable,
    _ body: (WriteTransaction, WriteTransaction) throws -> Value
  ) throws -> Value {
    try use {
      let stores = (first.store(), second.store())
      return try JointWriter.write(to: [stores.0, stores.1]) { write in
        try body(write.transaction(of: stores.0.core()), write.transaction(of: stores.1.core()))
      }
    }
  }

  /// Calls a closure with a write transaction of each store, on a thread of the library's own; all of them commit, or none.
  ///
  /// Any number of tasks may call it at once: writes to the same stores run one after another, and need one thread.
  ///
  /// If the task is cancelled while the write waits for a thread, the write ends at once. If the write waits in the queue of one of its
  /// stores, it ends with `cancelled` when its turn comes. A write that has begun is completed.
  ///
  /// - Throws: as the form for any number of stores; ``FiefError`` of code `cancelled`.
  @discardableResult
  nonisolated(nonsending) public func write<Value: Sendable>(
    to repositories: [any DatabaseConfigurable],
    _ body: @escaping @Sendable (MultiStoreTransaction) throws -> Value
  ) async throws -> Value {
    try await writeInBackground(to: use { repositories.map { $0.store() } }, body)
  }

  /// Calls a closure with a write transaction of each of two stores, on a thread of the library's own; both commit, or none.
  ///
  /// Cancelling the task has the same effect as for any number of stores.
  ///
  /// - Throws: as the form for any number of stores.
  @discardableResult
  nonisolated(nonsending) public func write<Value: Sendable>(
    to first: some DatabaseConfigurable,
    and second: some DatabaseConfigurable,
    _ body: @escaping @Sendable (WriteTransaction, WriteTransaction) throws -> Value
  ) async throws -> Value {
    let stores = use { (first.store(), second.store()) }
    return try await writeInBackground(to: [stores.0, stores.1]) { write in
      try body(write.transaction(of: stores.0.core()), write.transaction(of: stores.1.core()))
    }
  }

  nonisolated(nonsending) private func writeInBackground<Value: Sendable>(
    to stores: [Store],
    _ body: @escaping @Sendable (MultiStoreTransaction) throws -> Value
  ) async throws -> Value {
    // The thread of the write has no value of this task.
    let cores = try JointOrder.checked(stores.map { try $0.core() })
    let cancellation = BackgroundThreads.Cancellation()
    return try await BackgroundThreads.shared.run(
      inLineOf: .writes(cores.first.map { ObjectIdentifier($0) }),
      cancellation: cancellation,
      StoreSandbox.capturingCurrent { [self] in
        try use { try JointWriter.write(to: stores, cancellation: cancellation, body) }
      }
    )
  }

  /// Calls a closure that ends in an object with a write transaction of each store, and returns nothing; see
  /// ``ThreadBound``.
  nonisolated(nonsending) public func write<Value: ThreadBound>(
    to repositories: [any DatabaseConfigurable],
    _ body: @escaping @Sendable (MultiStoreTransaction) throws -> Value
  ) async throws {
    try await write(to: repositories) { (write: MultiStoreTransaction) -> Void in _ = try body(write) }
  }

  /// Calls a closure that ends in an object with a write transaction of each of two stores, and returns nothing; see
  /// ``ThreadBound``.
  nonisolated(nonsending) public func write<Value: ThreadBound>(
    to first: some DatabaseConfigurable,
    and second: some DatabaseConfigurable,
    _ body: @escaping @Sendable (WriteTransaction, WriteTransaction) throws -> Value
  ) async throws {
    try await write(to: first, and: second) { (one: WriteTransaction, other: WriteTransaction) -> Void in
      _ = try body(one, other)
    }
  }
}
