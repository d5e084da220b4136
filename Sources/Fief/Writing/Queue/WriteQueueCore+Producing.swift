/// An asynchronous call, so that its cancellation finds it.
// SAFETY: both fields are read and written only under the lock of the queue that the call was made to.
final class WriteQueueRequest: @unchecked Sendable {
  var ticket: UInt64?
  var isCancelled = false
}

extension WriteQueueCore {
  private enum Start {
    case direct(Machine.Batch, Effects)
    case queued(WriteQueueParker<Outcome>, Machine.Admission, Effects)
    case nested
  }

  func perform(_ work: Work, bytes: Int) throws -> Receipt {
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

  func enqueue(
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

  func cancel(_ request: WriteQueueRequest) {
    let removed = state.withLock { state -> (entry: Entry, effects: Effects)? in
      // The handler may run before the work is in line; then it never gets there.
      request.isCancelled = true
      guard let ticket = request.ticket,
        let (entry, actions) = state.machine.cancel(ticket, now: writeQueueNow())
      else { return nil }
      return (entry, complete(&state, actions))
    }
    guard let removed else { return }
    start(removed.effects.actions)
    deliver(.failure(cancelled), to: removed.entry)
    release(removed.effects.released)
  }

  /// Puts work in line that its caller does not wait for.
  func leave(_ work: Work, bytes: Int, answer: @escaping @Sendable (Outcome) -> Void) throws(FiefError) {
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

  // MARK: Turns

  private enum TurnStart {
    case begun, closed, nested
    case queued(WriteQueueParker<Void>, Effects)
  }

  func beginTurn() throws(FiefError) {
    let caller = WriteQueueThreadID.current
    let start = state.withLock { state -> TurnStart in
      if state.isOwn(caller) { return .nested }
      let now = writeQueueNow()
      if state.machine.beginTurn(now: now) {
        state.runner = caller
        return .begun
      }
      let parker = WriteQueueParker<Void>()
      let (admission, actions) = state.machine.enqueueTurn(.turn(parker), now: now)
      if case .closed = admission { return .closed }
      return .queued(parker, complete(&state, actions))
    }
    try finish(start)
  }

  /// Begins a turn before all that is in line, also while the queue is paused; waits for what runs.
  func beginUrgentTurn() throws(FiefError) {
    let caller = WriteQueueThreadID.current
    let start = state.withLock { state -> TurnStart in
      if state.isOwn(caller) { return .nested }
      let now = writeQueueNow()
      if state.machine.beginUrgentTurn(now: now) {
        state.runner = caller
        return .begun
      }
      let parker = WriteQueueParker<Void>()
      guard state.machine.enqueueUrgentTurn(.turn(parker), now: now) else { return .closed }
      return .queued(parker, Effects())
    }
    try finish(start)
  }

  /// Waits for a turn that is in line, outside of the lock.
  private func finish(_ start: TurnStart) throws(FiefError) {
    switch start {
    case .begun: break
    case .closed: throw storeClosed
    case .nested: throw nestedWrite
    case .queued(let parker, let effects):
      carryOut(effects)
      parker.wait()
    }
  }

  func endTurn() {
    post { state in
      state.runner = nil
      return state.machine.endTurn(now: writeQueueNow())
    }
  }

  // MARK: Errors

  private var storeClosed: FiefError {
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

  private var nestedWrite: FiefError {
    FiefError(
      .nestedWrite,
      "A write was begun on the thread that runs another write of the same store.",
      store: name
    )
  }
}
