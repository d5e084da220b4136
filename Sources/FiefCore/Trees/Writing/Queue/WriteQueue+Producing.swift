import LMDB

/// An asynchronous call. Its cancellation handler uses it to find the work in the queue.
// SAFETY: both fields are read and written only while the lock of the call's queue is held.
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

  /// Executes a work item and blocks the calling thread until its batch is committed.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: The size of the work, which counts against the limit.
  /// - Returns: The result of `execute` for the work.
  /// - Throws: `FiefError` of code `storeClosed`, or `nestedWrite` if called inside a turn, inside `execute`
  ///   or on the queue's own thread. Rethrows the error that `execute` returned for the work.
  package func perform(_ work: Work, bytes: Int = 0) throws -> Receipt {
    let caller = currentThread()
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

  /// Executes a work item and suspends the caller until its batch is committed. Never blocks a thread.
  ///
  /// Cancelling the task removes work that has not started from the queue. Work that has started completes,
  /// and its result is returned.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: The size of the work, which counts against the limit.
  /// - Returns: The result of `execute` for the work.
  /// - Throws: `FiefError` of code `storeClosed` or `cancelled`. Rethrows the error that `execute` returned
  ///   for the work.
  nonisolated(nonsending) package func perform(_ work: Work, bytes: Int = 0) async throws -> Receipt {
    let request = WriteQueueRequest()
    return try await withTaskCancellationHandler {
      // SAFETY: the machine answers every entry exactly once, as its model test verifies.
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
      // The handler may run before the work is enqueued. The work is then never enqueued.
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

  /// Enqueues a work item and returns immediately.
  ///
  /// This method may be called anywhere, including inside a turn and inside `execute`. The work then runs
  /// after them.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - bytes: The size of the work, which counts against the limits.
  ///   - answer: A closure that receives the result of `execute` for the work. It is called once, on the
  ///     thread that ran the batch, and must return quickly. If this method throws, the closure is not
  ///     called.
  /// - Throws: `FiefError` of code `storeClosed`, or `writeQueueFull` if the queue contains too many bytes of
  ///   work for which no caller waits.
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
    FiefError(.storeClosed, "The store is closed and accepts no more writes.", store: name)
  }

  private var cancelled: FiefError {
    FiefError(.cancelled, "The write was cancelled before it began.", store: name)
  }

  private var queueFull: FiefError {
    FiefError(
      .writeQueueFull,
      "The write queue is full; nothing was done.",
      store: name,
      details: ["StoreOptions.maximumWaitingBytes limits the bytes of waiting writes"]
    )
  }

  var nestedWrite: FiefError {
    FiefError(
      .nestedWrite,
      "A write began on the thread of another write of the same store: use the transaction of that write, or "
        + "begin this write after it.",
      store: name
    )
  }
}
