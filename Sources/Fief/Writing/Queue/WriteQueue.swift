/// The one background writer of a store: it takes work from any number of producers, and executes it in
/// batches, one at a time, in the order in which it came.
///
/// Everything that waits when a batch begins goes into it, so that many producers share one commit. A
/// producer gets its result when the batch with its work has been executed, never before. The
/// order of one producer's calls is the order of execution.
///
/// Batches run on a thread of the queue's own, which is made when it is first needed; when the queue is
/// idle, a synchronous producer runs its batch on its own thread and saves two thread switches. Turns
/// run on their callers' threads, in line with the batches.
///
/// The queue is bounded: beyond the limits producers wait in line, first come, first served. A producer that
/// waits for its result keeps one work alive. Work that is left to the queue without waiting has a limit of
/// its own, in bytes, beyond which it is refused.
package final class WriteQueue<Work: Sendable, Receipt: Sendable>: Sendable {
  private let core: WriteQueueCore<Work, Receipt>

  /// Makes a queue; it has no thread until it needs one.
  ///
  /// - Parameters:
  ///   - name: The store's name, for errors and for the thread.
  ///   - limits: The limits of the queue.
  ///   - execute: Runs a batch and returns one result for each work, in order. It is called on the
  ///     queue's thread or on that of a synchronous producer, never twice at once. Works without a
  ///     result fail with `storage`.
  package init(
    name: String,
    limits: WriteQueueLimits = .init(),
    execute: @escaping @Sendable ([Work]) -> [Result<Receipt, any Error>]
  ) {
    core = WriteQueueCore(
      name: name,
      limits: limits,
      makeThread: WriteQueueThread.start,
      execute: execute
    )
  }

  /// Makes a queue that gets its thread from elsewhere.
  init(
    name: String,
    makeThread: @escaping WriteQueueThread.Make,
    execute: @escaping @Sendable ([Work]) -> [Result<Receipt, any Error>]
  ) {
    core = WriteQueueCore(name: name, limits: .init(), makeThread: makeThread, execute: execute)
  }

  deinit {
    core.close(waiting: false)
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
    try core.perform(work, bytes: bytes)
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
    let core = core
    return try await withTaskCancellationHandler {
      // SAFETY: the machine answers every entry exactly once, which its model test verifies.
      try await withUnsafeThrowingContinuation { continuation in
        core.enqueue(work, bytes: bytes, request: request, continuation: continuation)
      }
    } onCancel: {
      core.cancel(request)
    }
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
    try core.leave(work, bytes: bytes, answer: answer)
  }

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
    try core.beginTurn()
    defer { core.endTurn() }
    if isWrite, let error = core.takeInjectionForTurn() { throw error }
    return try body()
  }

  /// Waits for a turn in line with the works, which lasts until ``endTurn()``.
  ///
  /// - Throws: as ``withTurn(isWrite:_:)``; there is no turn then.
  package func beginTurn() throws {
    try core.beginTurn()
    guard let error = core.takeInjectionForTurn() else { return }
    core.endTurn()
    throw error
  }

  /// Ends the turn that ``beginTurn()`` has begun.
  package func endTurn() { core.endTurn() }

  /// Runs the body alone, on the calling thread, before all that is in line and also while the queue is paused: as soon
  /// as what runs is done.
  ///
  /// - Throws: as ``withTurn(isWrite:_:)``.
  package func withUrgentTurn<R>(_ body: () throws -> R) throws -> R {
    try core.beginUrgentTurn()
    defer { core.endTurn() }
    return try body()
  }

  /// Lets nothing start until ``resume()``; the running work completes. A closed queue does not pause.
  package func pause() {
    core.pause()
  }

  /// Lets the line start again, however often the queue was paused.
  package func resume() {
    core.resume()
  }

  /// Makes the next works and turns fail without being executed, for tests of error paths.
  ///
  /// - Parameters:
  ///   - count: The number of works that fail, in the order of execution, after those of earlier calls.
  ///   - error: The error that they fail with.
  package func failNext(_ count: Int, with error: any Error & Sendable) {
    core.failNext(count, with: error)
  }

  /// Accepts nothing more, executes all that is in line, ends the thread and waits for that.
  ///
  /// A paused queue is resumed. Closing twice is allowed; both calls wait. Inside a turn, inside
  /// `execute` and on the queue's own thread it does not wait: the rest is drained afterwards.
  package func close() {
    core.close(waiting: true)
  }

  /// Blocks until nothing runs and nothing is about to: the line is empty, or the queue is paused.
  ///
  /// Inside a turn, inside `execute` and on the queue's own thread it returns at once.
  package func waitUntilIdle() {
    core.waitUntilIdle()
  }

  /// Suspends until nothing runs and nothing is about to: the line is empty, or the queue is paused.
  ///
  /// Cancelling the task does not end the wait.
  nonisolated(nonsending) package func waitUntilIdle() async {
    let core = core
    // SAFETY: the waiter is resumed once, when it is taken off the list or in place of being put on it.
    await withUnsafeContinuation { core.notifyWhenIdle(.task($0)) }
  }

  /// The counts of the queue's work so far, and of the items that it holds.
  package var statistics: WriteQueueStatistics {
    core.statistics
  }
}

extension WriteQueue {
  /// Whether the queue's thread has been started and has not ended.
  var hasThread: Bool { core.state.withLock { $0.machine.thread == .live } }

  /// Whether works or turns are in line, or works are done.
  var hasWork: Bool {
    core.state.withLock {
      $0.machine.phase == .running || $0.machine.pending.count + $0.machine.waiting.count > 0
    }
  }

  /// The number of waiting turns that come before the line.
  var urgentTurnCount: Int { core.state.withLock { $0.machine.urgent.count } }

  /// The number of callers that wait for the end of a closed queue.
  var endWaiterCount: Int { core.state.withLock { $0.endWaiters.count } }

  /// The number of callers that wait for the queue to be idle.
  var idleWaiterCount: Int { core.state.withLock { $0.idleWaiters.count } }
}
