import LMDB

/// One attempt of an optimistic transaction, for the body of
/// ``StoreAccess/runTransaction(maximumAttempts:_:)``.
///
/// A body first reads and then writes. All reads see one committed state. If anything that the body has read
/// was changed, the next read throws ``FiefError/Code/conflict`` and the body runs again. Writes are
/// collected, and committed when the body returns.
///
/// ```swift
/// try await store.runTransaction { transaction in
///   guard let user = try transaction.get(User.self, forPrimaryKey: "ada"), user.points >= 10 else {
///     throw NotEnoughPoints()
///   }
///   user.points -= 10
///   try transaction.set(user)
/// }
/// ```
/// The transaction returns copies of objects, which the body may change and use before and after a
/// suspension. Their links, lists and inverses are read when they are first used, and count as reads of the
/// transaction.
///
/// Tasks that the body starts may also use the transaction while the body runs. Afterwards, each use fails
/// with ``FiefError/Code/transactionEnded``.
public final class OptimisticTransaction: Sendable {
  /// The transactions whose bodies the task is running.
  @TaskLocal static var current: [OptimisticTransaction] = []

  /// The number of the attempt, starting at 1.
  public let attempt: Int
  package let core: StoreCore
  package let visible: VisibleTypes?
  let reads: OptimisticReads
  /// The context of the objects that the body receives.
  let context: ObjectContext
  /// Whether an untracked read was reported in this attempt or an earlier attempt.
  let hasUntrackedRead: UntrackedReadFlag
  private let state = OwnedLock(State())

  private struct State {
    var writes = BatchChanges()
    var hasEnded = false
  }

  init(
    _ core: StoreCore,
    seeing visible: VisibleTypes?,
    attempt: Int,
    _ hasUntrackedRead: UntrackedReadFlag = UntrackedReadFlag()
  ) {
    self.hasUntrackedRead = hasUntrackedRead
    self.core = core
    self.visible = visible
    self.attempt = attempt
    reads = OptimisticReads(core.tables)
    context = ObjectContext(.noting(reads), store: core, visible: visible)
  }

  /// Returns the object with a primary key in the newest commit, or `nil` if it does not exist.
  ///
  /// - Throws: ``FiefError`` of code `readAfterWrite` after the first write; `conflict` if anything that was
  ///   read before has changed, so that the body runs again; `transactionEnded` after the body; and the
  ///   errors of reading an object.
  public func get<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws -> sending Element? {
    try check(type)
    let binding = try core.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: core.name)
    var bytes = 0
    let object: ObjectBase? = try reading { transaction in
      try key.withUnsafeBytes { key in
        try reads.note(binding.table, key, in: transaction)
        return try core.load(binding, key: key, from: transaction, context: context, bytes: &bytes)
      }
    }
    if object == nil {
      core.counters.addMiss(in: binding.table)
    } else {
      core.counters.addPointRead(ofTable: binding.table.number, bytes: bytes)
    }
    return object?.cast(to: type)
  }

  /// Calls a closure with a transaction of the newest state, after checking that everything that was read
  /// before is unchanged.
  func reading<Value>(_ body: (LMDB.Transaction) throws -> Value) throws -> Value {
    try checkRunning()
    try reads.checkNoWrite()
    return try core.read { transaction in
      guard try reads.willRead(in: transaction) else { throw reads.staleRead }
      return try body(transaction)
    }
  }

  // MARK: The attempt

  /// - Throws: ``FiefError`` of code `transactionEnded` after the body, `unknownType` if the repository does
  ///   not declare the type.
  package func check(_ type: ObjectBase.Type) throws {
    try checkRunning()
    try visible?.check(type, in: core)
  }

  private func checkRunning() throws {
    if state.withLock({ $0.hasEnded }) { throw ended }
  }

  private var ended: FiefError {
    FiefError(
      .transactionEnded,
      "The body of the optimistic transaction has ended, or this is an earlier attempt of it.",
      store: core.name
    )
  }

  /// Adds a write, which is performed with the other writes at the commit.
  package func add(_ write: (inout BatchChanges) throws -> Void) throws {
    if core.isReadOnly { throw core.readOnlyError }
    try state.withLock { state in
      if state.hasEnded { throw ended }
      try write(&state.writes)
    }
    reads.noteWrite()
  }

  /// Ends the attempt's body.
  ///
  /// - Returns: the collected writes.
  func end() -> BatchChanges {
    reads.end()
    return state.withLock { state in
      state.hasEnded = true
      return state.writes
    }
  }

  var isRunning: Bool { state.withLock { !$0.hasEnded } }
}

extension StoreCore {
  /// The optimistic transaction of this store whose body the task is running; nil if there is no such
  /// transaction.
  var runningTransaction: OptimisticTransaction? {
    OptimisticTransaction.current.last { $0.core.isSame(as: self) && $0.isRunning }
  }

  /// - Throws: ``FiefError`` of code `nestedWrite` in the body of an optimistic transaction of this store.
  ///   The write would be repeated in each attempt, and would not be undone if the transaction failed.
  package func checkNoTransaction() throws {
    guard OptimisticTransactions.areAny, runningTransaction != nil else { return }
    throw OptimisticTransaction.nestedWrite(in: name)
  }
}

extension OptimisticTransaction {
  /// Checks that the task does not run the body of an optimistic transaction of a store that was opened without
  /// its classes.
  ///
  /// - Throws: the error of ``StoreCore/checkNoTransaction()``.
  package static func checkNone(in environment: LMDB.Environment, store: String) throws {
    guard OptimisticTransactions.areAny else { return }
    guard current.contains(where: { $0.isRunning && $0.core.environment === environment }) else { return }
    throw nestedWrite(in: store)
  }

  fileprivate static func nestedWrite(in store: String) -> FiefError {
    FiefError(
      .nestedWrite,
      "A write began inside the body of an optimistic transaction. Write with the transaction's own methods.",
      store: store
    )
  }
}
