import LMDB

extension WriteQueue {
  /// Prevents work from starting until ``resume()``. Running work completes. A closed queue does not pause.
  package func pause() {
    post { state in
      state.machine.pause()
      return Machine.Actions()
    }
  }

  /// Allows work to start again, even if the queue was paused several times.
  package func resume() {
    post { $0.machine.resume(now: writeQueueNow()) }
  }

  /// Makes the next work items and turns fail without being executed, for tests of error paths.
  ///
  /// - Parameters:
  ///   - count: The number of items that fail, in the order of execution, after the items of earlier calls.
  ///   - error: The error with which they fail.
  package func failNext(_ count: Int, with error: any Error & Sendable) {
    state.withLock { $0.machine.failNext(count, with: error) }
  }

  /// Stops accepting work, executes everything in the queue, ends the thread, and waits for its end.
  ///
  /// A paused queue is resumed. Closing twice is allowed, and both calls wait. Inside a turn, inside
  /// `execute` and on the queue's own thread, the method does not wait: the remaining work is executed
  /// afterwards.
  package func close() { close(waiting: true) }

  func close(waiting: Bool) {
    let (parker, effects) = state.withLock { state -> (WriteQueueParker<Void>?, Effects) in
      let actions = state.machine.close(now: writeQueueNow())
      var parker: WriteQueueParker<Void>?
      if waiting, !state.isOwn(currentThread()), !state.isFinished {
        let new = WriteQueueParker<Void>()
        state.endWaiters.append(.caller(new))
        parker = new
      }
      return (parker, complete(&state, actions))
    }
    carryOut(effects)
    parker?.wait()
  }

  /// Blocks until nothing runs and nothing can start, because the queue is empty or paused.
  ///
  /// Inside a turn, inside `execute` and on the queue's own thread, the method returns immediately.
  package func waitUntilIdle() {
    let parker = state.withLock { state -> WriteQueueParker<Void>? in
      if state.isOwn(currentThread()) || state.machine.isQuiet { return nil }
      let parker = WriteQueueParker<Void>()
      state.idleWaiters.append(.caller(parker))
      return parker
    }
    parker?.wait()
  }

  /// Suspends until nothing runs and nothing can start, because the queue is empty or paused.
  ///
  /// Cancelling the task does not end the wait.
  nonisolated(nonsending) package func waitUntilIdle() async {
    // SAFETY: the waiter is resumed once: either when it is removed from the list, or instead of being added
    // to it.
    await withUnsafeContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.machine.isQuiet { return true }
        state.idleWaiters.append(.task(continuation))
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  /// The counts of the queue's work so far, and of the items that it contains.
  package var statistics: WriteQueueStatistics { state.withLock { $0.machine.statistics } }
}

extension WriteQueue {
  /// Whether the queue's thread has started and not ended.
  var hasThread: Bool { state.withLock { $0.machine.thread == .live } }

  /// Whether a batch is running, or work or turns are waiting in the queue.
  var hasWork: Bool {
    state.withLock {
      $0.machine.phase == .running || $0.machine.pending.count + $0.machine.waiting.count > 0
    }
  }

  /// The number of waiting turns that come before everything in the queue.
  var urgentTurnCount: Int { state.withLock { $0.machine.urgent.count } }

  /// The number of callers that wait for the end of a closed queue.
  var endWaiterCount: Int { state.withLock { $0.endWaiters.count } }

  /// The number of callers that wait for the queue to become idle.
  var idleWaiterCount: Int { state.withLock { $0.idleWaiters.count } }
}
