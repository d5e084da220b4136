import LMDB

/// An asynchronous call, so that its cancellation finds it.
// SAFETY: both fields are read and written only under the lock of the queue that the call was made to.
final class WriteQueueRequest: @unchecked Sendable {
  var ticket: UInt64?
  var isCancelled = false
}

extension WriteQueue {
  private enum Start {
    case direct(Machine.Batch, Effects)
    case queued(WriteQueueParker<Outcome>, Machine.Admission, Effects)
    case nested
  }

  /// Executes a work and blocks the calling thread until its batch is committed.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: Its size, counted against the limit.
  /// - Returns: The result of `execute` for the work.
  /// - Throws: `FiefError` with `storeClosed`, or `nestedWrite` inside a turn, inside `execute` or on
  ///   the queue's own thread; what `execute` returned for the work.
  package func perform(_ work: Work, bytes: Int = 0) throws -> Receipt {
    let caller = WriteQueueThreadID.current
    let start = state.withLock { state -> Start in
      if state.isOwn(caller) { return .nested }
      let now = writeQueueNow()
      if let batch = state.machine.beginDirectly(now: now) {
        state.runner = caller
        return .direct(batch, complete(&state, Machine.Actions()))
      }
      let parker = WriteQueueParker<Outcome>()
      let (admission, actions) = state.machine.enqueue(
        .caller(work, parker),
        bytes: bytes,
        canCommit: true,
        now: now
      )
      return .queued(parker, admission, complete(&state, actions))
    }
    switch start {
    case .nested:
      throw nestedWrite
    case .direct(let batch, _):
      return try runDirectly(work, batch).get()
    case .queued(_, .closed, _), .queued(_, .full, _):
      throw storeClosed
    case .queued(let parker, .queued, let effects):
      carryOut(effects)
      return try parker.wait().get()
    case .queued(let parker, .gather(let ticket, let deadline), let effects):
      carryOut(effects)
      return try gather(ticket, until: deadline, at: parker).get()
    }
  }

  /// Executes a work and suspends the caller until its batch is committed; never blocks a thread.
  ///
  /// Cancelling the task takes work that has not started out of the queue; work that has started is
  /// completed, and its result returned.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: Its size, counted against the limit.
  /// - Returns: The result of `execute` for the work.
  /// - Throws: `FiefError` with `storeClosed` or `cancelled`; what `execute` returned for the work.
  nonisolated(nonsending) package func perform(_ work: Work, bytes: Int = 0) async throws -> Receipt {
    let request = WriteQueueRequest()
    return try await withTaskCancellationHandler {
      // SAFETY: the machine answers every entry exactly once, which its model test verifies.
      try await withUnsafeThrowingContinuation { continuation in
        enqueue(work, bytes: bytes, request: request, continuation: continuation)
      }
    } onCancel: {
      cancel(request)
    }
  }

  private func enqueue(
    _ work: Work,
    bytes: Int,
    request: WriteQueueRequest,
    continuation: UnsafeContinuation<Receipt, any Error>
  ) {
    let (failure, effects) = state.withLock { state -> (FiefError?, Effects) in
      if request.isCancelled { return (cancelled, Effects()) }
      let (admission, actions) = state.machine.enqueue(
        .task(work, continuation),
        bytes: bytes,
        canCommit: false,
        now: writeQueueNow()
      )
      switch admission {
      case .closed, .full: return (storeClosed, Effects())
      case .queued(let ticket), .gather(let ticket, _): request.ticket = ticket
      }
      return (nil, complete(&state, actions))
    }
    if let failure { continuation.resume(throwing: failure) }
    carryOut(effects)
  }

  private func cancel(_ request: WriteQueueRequest) {
    let removed = state.withLock { state -> (entry: Entry, effects: Effects)? in
      // The handler may run before the work is in line; then it never gets there.
      request.isCancelled = true
      guard let ticket = request.ticket,
        let (entry, actions) = state.machine.cancel(ticket, now: writeQueueNow())
      else { return nil }
      return (entry, complete(&state, actions))
    }
    guard let removed else { return }
    start(removed.effects)
    deliver(.failure(cancelled), to: removed.entry)
    release(removed.effects.released)
  }

  /// Leaves a work to the queue and returns at once.
  ///
  /// It may be called anywhere, also inside a turn and inside `execute`: the work is done after these.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: Its size, counted against the limits.
  ///   - answer: Gets what `execute` returned for the work, once, on the thread that ran the batch; it must return
  ///     soon. Not called where this throws.
  /// - Throws: `FiefError` with `storeClosed`, or `writeQueueFull` where too many bytes are in line that no caller
  ///   waits for.
  package func leave(
    _ work: Work,
    bytes: Int = 0,
    answer: @escaping @Sendable (Result<Receipt, any Error>) -> Void
  ) throws(FiefError) {
    let (admission, effects) = state.withLock { state -> (Machine.Admission, Effects) in
      let (admission, actions) = state.machine.leave(.left(work, answer), bytes: bytes, now: writeQueueNow())
      return (admission, complete(&state, actions))
    }
    switch admission {
    case .closed: throw storeClosed
    case .full: throw queueFull
    case .queued, .gather: carryOut(effects)
    }
  }

  // MARK: Errors

  var storeClosed: FiefError {
    FiefError(.storeClosed, "The store is closed and takes no more writes.", store: name)
  }

  private var cancelled: FiefError {
    FiefError(.cancelled, "The write was cancelled before it began.", store: name)
  }

  private var queueFull: FiefError {
    FiefError(
      .writeQueueFull,
      "Too many writes wait in the queue; nothing was done.",
      store: name,
      details: ["StoreOptions.maximumWaitingBytes says how many bytes of them may wait"]
    )
  }

  var nestedWrite: FiefError {
    FiefError(
      .nestedWrite,
      "A write was begun on the thread that runs another write of the same store: use the transaction of that one, or "
        + "begin this one after it.",
      store: name
    )
  }
}
