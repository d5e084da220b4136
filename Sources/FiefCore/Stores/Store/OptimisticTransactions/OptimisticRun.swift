/// A run of an optimistic transaction, which carries out the decisions of ``AttemptMachine``.
struct OptimisticRun: Sendable {
  let core: StoreCore
  let visible: VisibleTypes?
  /// Waits between two attempts, and returns early if the task is cancelled.
  var wait: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

  nonisolated(nonsending)
    func callAsFunction<Value: Sendable>(
      maximumAttempts: Int,
      _ body: @Sendable (OptimisticTransaction) async throws -> Value
    ) async throws -> Value
  {
    try core.checkNoTransaction()
    let hasUntrackedRead = UntrackedReadFlag()
    var machine = AttemptMachine(maximumAttempts: maximumAttempts)
    var last: Result<Value, any Error>?
    var action = machine.begin(isCancelled: Task.isCancelled)
    while true {
      switch action {
      case .run(let attempt):
        let transaction = OptimisticTransaction(core, seeing: visible, attempt: attempt, hasUntrackedRead)
        let (outcome, result) = await run(transaction, body)
        last = result
        action = machine.ended(outcome, isCancelled: Task.isCancelled, random: random())
      case .wait(let duration):
        await wait(duration)
        action = machine.waited(isCancelled: Task.isCancelled)
      case .end:
        guard let last else { throw StoreCore.closedError(core.name) }
        return try last.get()
      case .giveUp(let lines):
        throw FiefError.conflict(lines, in: core.name, attempts: machine.maximumAttempts)
      case .cancel:
        throw FiefError(.cancelled, "The task of the transaction was cancelled.", store: core.name)
      }
    }
  }

  nonisolated(nonsending)
    private func run<Value: Sendable>(
      _ transaction: OptimisticTransaction,
      _ body: @Sendable (OptimisticTransaction) async throws -> Value
    ) async -> (AttemptMachine.Outcome, Result<Value, any Error>?)
  {
    let result = await Self.result(of: body, transaction)
    let writes = transaction.end()
    let stale = transaction.reads.staleLines
    // The body may have failed because the data that it read was stale.
    if !stale.isEmpty { return (.stale(stale), nil) }
    guard case .success = result else { return (.failed, result) }
    do {
      try await commit(writes, transaction.reads)
      return (.committed, result)
    } catch let error as StaleReads {
      return (.stale(error.lines), nil)
    } catch {
      return (.failed, .failure(error))
    }
  }

  nonisolated(nonsending)
    private static func result<Value: Sendable>(
      of body: @Sendable (OptimisticTransaction) async throws -> Value,
      _ transaction: OptimisticTransaction
    ) async -> Result<Value, any Error>
  {
    OptimisticTransactions.begin()
    defer { OptimisticTransactions.end() }
    do {
      let all = OptimisticTransaction.current + [transaction]
      return .success(try await OptimisticTransaction.$current.withValue(all) { try await body(transaction) })
    } catch {
      return .failure(error)
    }
  }

  /// - Throws: ``StaleReads`` if anything that was read has changed.
  nonisolated(nonsending)
    private func commit(_ writes: BatchChanges, _ reads: OptimisticReads) async throws
  {
    guard writes.isEmpty else {
      var writes = writes
      writes.reads = reads
      _ = try await core.submit(.batch(writes), bytes: writes.byteCount)
      return
    }
    if reads.isOneState { return }
    let lines = try core.read { try reads.compare(with: $0) }
    if !lines.isEmpty { throw StaleReads(lines: lines) }
  }
}
