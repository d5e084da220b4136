import LMDB

extension WriteQueue {
  /// Lets nothing start until ``resume()``; the running work completes. A closed queue does not pause.
  package func pause() {
    post { state in
      state.machine.pause()
      return Machine.Actions()
    }
  }

  /// Lets the line start again, however often the queue was paused.
  package func resume() {
    post { $0.machine.resume(now: writeQueueNow()) }
  }

  /// Makes the next works and turns fail without being executed, for tests of error paths.
  ///
  /// - Parameters:
  ///   - count: The number of works that fail, in the order of execution, after those of earlier calls.
  ///   - error: The error that they fail with.
  package func failNext(_ count: Int, with error: any Error & Sendable) {
    state.withLock { $0.machine.failNext(count, with: error) }
  }

  /// Accepts nothing more, executes all that is in line, ends the thread and waits for that.
  ///
  /// A paused queue is resumed. Closing twice is allowed; both calls wait. Inside a turn, inside
  /// `execute` and on the queue's own thread it does not wait: the rest is drained afterwards.
  package func close() { close(waiting: true) }

  func close(waiting: Bool) {
    let (parker, effects) = state.withLock { state -> (WriteQueueParker<Void>?, Effects) in
      let actions = state.machine.close(now: writeQueueNow())
      var parker: WriteQueueParker<Void>?
      if waiting, !state.isOwn(.current), !state.isFinished {
        let new = WriteQueueParker<Void>()
        state.endWaiters.append(.caller(new))
        parker = new
      }
      return (parker, complete(&state, actions))
    }
    carryOut(effects)
    parker?.wait()
  }

  /// Blocks until nothing runs and nothing is about to: the line is empty, or the queue is paused.
  ///
  /// Inside a turn, inside `execute` and on the queue's own thread it returns at once.
  package func waitUntilIdle() {
    let parker = state.withLock { state -> WriteQueueParker<Void>? in
      if state.isOwn(.current) || state.machine.isQuiet { return nil }
      let parker = WriteQueueParker<Void>()
      state.idleWaiters.append(.caller(parker))
      return parker
    }
    parker?.wait()
  }

  /// Suspends until nothing runs and nothing is about to: the line is empty, or the queue is paused.
  ///
  /// Cancelling the task does not end the wait.
  nonisolated(nonsending) package func waitUntilIdle() async {
    // SAFETY: the waiter is resumed once, when it is taken off the list or in place of being put on it.
    await withUnsafeContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.machine.isQuiet { return true }
        state.idleWaiters.append(.task(continuation))
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  /// The counts of the queue's work so far, and of the items that it holds.
  package var statistics: WriteQueueStatistics { state.withLock { $0.machine.statistics } }
}

extension WriteQueue {
  /// Whether the queue's thread has been started and has not ended.
  var hasThread: Bool { state.withLock { $0.machine.thread == .live } }

  /// Whether works or turns are in line, or works are done.
  var hasWork: Bool {
    state.withLock {
      $0.machine.phase == .running || $0.machine.pending.count + $0.machine.waiting.count > 0
    }
  }

  /// The number of waiting turns that come before the line.
  var urgentTurnCount: Int { state.withLock { $0.machine.urgent.count } }

  /// The number of callers that wait for the end of a closed queue.
  var endWaiterCount: Int { state.withLock { $0.endWaiters.count } }

  /// The number of callers that wait for the queue to be idle.
  var idleWaiterCount: Int { state.withLock { $0.idleWaiters.count } }
}
