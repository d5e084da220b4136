import LMDB

/// Turns: what runs alone, on its caller's thread.
extension WriteQueue {
  /// Waits for its turn in line with the works, then runs the body alone, on the calling thread.
  ///
  /// While the body runs no batch and no other turn does. A body that waits for another thread's write
  /// to the same queue waits for ever.
  ///
  /// - Parameters:
  ///   - isWrite: Whether ``failNext(_:with:)`` means it.
  ///   - body: The closure to run; the turn ends when it returns or throws.
  /// - Returns: The result of the body.
  /// - Throws: `FiefError` with `storeClosed`, or `nestedWrite` inside a turn, inside `execute` or on
  ///   the queue's own thread; what the body throws.
  package func withTurn<R>(isWrite: Bool = true, _ body: () throws -> R) throws -> R {
    try enterTurn()
    defer { endTurn() }
    if isWrite, let error = takeInjection() { throw error }
    return try body()
  }

  /// Waits for a turn in line with the works, which lasts until ``endTurn()``.
  ///
  /// - Throws: as ``withTurn(isWrite:_:)``; there is no turn then.
  package func beginTurn() throws {
    try enterTurn()
    guard let error = takeInjection() else { return }
    endTurn()
    throw error
  }

  /// Ends the turn that ``beginTurn()`` has begun.
  package func endTurn() {
    post { state in
      state.runner = nil
      return state.machine.endTurn(now: writeQueueNow())
    }
  }

  /// Runs the body alone, on the calling thread, before all that is in line and also while the queue is paused: as soon
  /// as what runs is done.
  ///
  /// - Throws: as ``withTurn(isWrite:_:)``.
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
  private func enterUrgentTurn() throws(FiefError) {
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
}
