import FiefCore

/// Writes to several stores: in the end every store gets its changes, or none does.
///
/// Each store is a separate LMDB environment, and no transaction covers two of them. A write to several
/// stores is therefore a protocol between their transactions. Even if the process is killed at any time, it
/// guarantees:
/// - Success means that all stores have the changes, with the durability that each store's options specify.
/// - An error other than ``FiefError/Code/unfinishedWrite`` and ``FiefError/Code/unknownOutcome`` means that
///   no store has any of the changes, and none will get them.
/// - Errors of the closure and of the checks (a duplicate key, a missing value, a store at its size limit)
///   occur before the decision.
/// - After a crash, a store that has a part of the write completes its part if the write was decided, and
///   drops it otherwise. This happens when any process next opens the store for writing or writes to it.
///   Until then the store's state is the one from before the write. The store that is locked first, the
///   coordinator, also completes the others when it is opened.
/// - ``FiefError/Code/unfinishedWrite`` means that the write succeeded, but a store could not apply its part
///   yet, for example because its disk is full. It applies the part when it is next written to or opened.
///
/// There is no common snapshot: between the commits of two stores, a reader sees the changes in one of them
/// but not in the other. Observers of a store are notified of its part after all commits, but not of a part
/// that was completed after a crash. Links, delete rules and uniqueness do not extend across stores; for
/// references see ``CrossStoreLink``. Copies of the stores that were made one after another, such as backups,
/// may contain the write in only some of them.
///
/// A joint write costs two commits for each store, and writes the changes of all stores except the first
/// twice. No other write to any of the stores can run at the same time. Inside the closure, write to these
/// stores only through their transactions. Writing to any other store is the error
/// ``FiefError/Code/nestedWrite``, because two threads could wait for each other.
extension StoreManager {
  /// Calls a closure with a write transaction of each store, on this thread. Either all of them commit, or
  /// none.
  ///
  /// The closure may run again from the start, if a store has to grow or another process's write has to be
  /// completed first.
  ///
  /// - Parameters:
  ///   - repositories: the repositories of the stores. They need not belong to the manager. Pass each store
  ///     once. If the manager has a repository with the same type and name, it is used instead, in the
  ///     closure too.
  ///   - body: receives the transactions.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure, with no store changed; ``FiefError`` of code `nestedWrite` inside
  ///   another write; `unfinishedWrite` and `unknownOutcome`, as described above; `blockedByUnfinishedWrite`
  ///   if an earlier write has to be finished first and could not be.
  @discardableResult
  public func write<Value>(
    to repositories: [any DatabaseConfigurable],
    _ body: (MultiStoreTransaction) throws -> Value
  ) throws -> Value {
    try use { try JointWriter.write(to: repositories.map { $0.store() }, body) }
  }

  /// Calls a closure with a write transaction of each of two stores, on this thread. Either both commit, or
  /// none.
  ///
  /// - Throws: the same errors as the method for any number of stores.
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

  /// Calls a closure with a write transaction of each store, on a thread of the library. Either all of them
  /// commit, or none.
  ///
  /// Any number of tasks may call this method concurrently. Writes to the same stores run one after another
  /// and use one thread.
  ///
  /// If the task is cancelled while the write waits for a thread, the write ends at once. If the write waits
  /// in the queue of one of its stores, it ends with `cancelled` when its turn comes. A write that has begun
  /// is completed.
  ///
  /// - Throws: the same errors as the method for any number of stores, and ``FiefError`` of code `cancelled`.
  @discardableResult
  nonisolated(nonsending) public func write<Value: Sendable>(
    to repositories: [any DatabaseConfigurable],
    _ body: @escaping @Sendable (MultiStoreTransaction) throws -> Value
  ) async throws -> Value {
    try await writeInBackground(to: use { repositories.map { $0.store() } }, body)
  }

  /// Calls a closure with a write transaction of each of two stores, on a thread of the library. Either both
  /// commit, or none.
  ///
  /// Cancelling the task has the same effect as for any number of stores.
  ///
  /// - Throws: the same errors as the method for any number of stores.
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
    // Checked here, because task-local values of this task are not visible on the thread of the write.
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

  /// Calls a closure whose last expression is an object with a write transaction of each store, and returns
  /// nothing; see ``ThreadBound``.
  nonisolated(nonsending) public func write<Value: ThreadBound>(
    to repositories: [any DatabaseConfigurable],
    _ body: @escaping @Sendable (MultiStoreTransaction) throws -> Value
  ) async throws {
    try await write(to: repositories) { (write: MultiStoreTransaction) -> Void in _ = try body(write) }
  }

  /// Calls a closure whose last expression is an object with a write transaction of each of two stores, and
  /// returns nothing; see ``ThreadBound``.
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
