import LMDB

/// Turns: closures that run alone, on their caller's thread.
extension WriteQueue {
  /// Waits in the queue for a turn, then runs the body alone, on the calling thread.
  ///
  /// While the body runs, no batch and no other turn runs. A body that waits for another thread's write to
  /// the same queue waits forever.
  ///
  /// - Parameters:
  ///   - isWrite: Whether ``failNext(_:with:)`` applies to the turn.
  ///   - body: The closure to run. The turn ends when it returns or throws.
  /// - Returns: The result of the body.
  /// - Throws: `FiefError` of code `storeClosed`, or `nestedWrite` if called inside a turn, inside `execute`
  ///   or on the queue's own thread. Rethrows the body's error.
  package func withTurn<R>(isWrite: Bool = true, _ body: () throws -> R) throws -> R {
    try enterTurn()
    defer { endTurn() }
    if isWrite, let error = takeInjection() { throw error }
    return try body()
  }

  /// Waits in the queue for a turn. The turn lasts until ``endTurn()``.
  ///
  /// - Throws: The errors of ``withTurn(isWrite:_:)``. No turn has then begun.
  package func beginTurn() throws {
    try enterTurn()
    guard let error = takeInjection() else { return }
    endTurn()
    throw error
  }

  /// Ends the turn that ``beginTurn()`` began.
  package func endTurn() {
    post { state in
      state.runner = nil
      return state.machine.endTurn(now: writeQueueNow())
    }
  }

  /// Runs the body alone, on the calling thread, as soon as the running batch or turn ends: before everything
  /// in the queue, and even if the queue is paused.
  ///
  /// - Throws: The errors of ``withTurn(isWrite:_:)``.
  package func withUrgentTurn<R>(_ body: () throws -> R) throws -> R {
    try enterUrgentTurn()
    defer { endTurn() }
    return try body()
  }

  private func takeInjection() -> (any Error & Sendable)? {
    state.withLock { $0.machine.takeInjectionForTurn() }
  }

  private enum TurnStart {
    case begun, closed, nested
    case queued(WriteQueueParker<Void>, Effects)
  }

  private func enterTurn() throws(FiefError) {
    let caller = currentThread()
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

  /// Begins a turn before everything in the queue, even if the queue is paused. Waits for the running batch
  /// or turn.
  private func enterUrgentTurn() throws(FiefError) {
    let caller = currentThread()
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

  /// Waits for an enqueued turn. Called outside the lock.
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
}
