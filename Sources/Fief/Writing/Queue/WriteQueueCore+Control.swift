extension WriteQueueCore {
  func pause() {
    post { state in
      state.machine.pause()
      return Machine.Actions()
    }
  }

  func resume() {
    post { $0.machine.resume(now: writeQueueNow()) }
  }

  func failNext(_ count: Int, with error: any Error & Sendable) {
    state.withLock { $0.machine.failNext(count, with: error) }
  }

  func takeInjectionForTurn() -> (any Error & Sendable)? {
    state.withLock { $0.machine.takeInjectionForTurn() }
  }

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

  func waitUntilIdle() {
    let parker = state.withLock { state -> WriteQueueParker<Void>? in
      if state.isOwn(.current) || state.machine.isQuiet { return nil }
      let parker = WriteQueueParker<Void>()
      state.idleWaiters.append(.caller(parker))
      return parker
    }
    parker?.wait()
  }

  func notifyWhenIdle(_ waiter: Waiter) {
    let isIdle = state.withLock { state in
      if state.machine.isQuiet { return true }
      state.idleWaiters.append(waiter)
      return false
    }
    if isIdle { release([waiter]) }
  }
}
