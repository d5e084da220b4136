import LMDB

extension WriteQueue {
  /// Runs the work item of a caller that found the queue idle.
  func runDirectly(_ work: Work, _ batch: Machine.Batch) -> Outcome {
    let outcome: Outcome
    var isFailure = false
    if let injected = batch.injected.first {
      outcome = .failure(injected)
    } else {
      outcome = execute([work]).first ?? .failure(missingResult)
      if case .failure = outcome { isFailure = true }
    }
    carryOut(finish(failures: isFailure ? 1 : 0))
    return outcome
  }

  /// Waits at the head of the queue for other callers and then runs the batch. If another thread has taken
  /// the batch, waits for the outcome like any other caller.
  func gather(
    _ ticket: Machine.Ticket,
    until deadline: Int,
    at parker: WriteQueueParker<Outcome>
  ) -> Outcome {
    let caller = currentThread()
    var deadline = deadline
    while true {
      if let outcome = parker.waitForNudge(until: deadline) { return outcome }
      let (step, effects) = state.withLock { state -> (Machine.Step, Effects) in
        let (step, actions) = state.machine.gathered(by: ticket, now: writeQueueNow())
        if case .run = step { state.runner = caller }
        return (step, complete(&state, actions))
      }
      carryOut(effects)
      switch step {
      case .gather(let newDeadline): deadline = newDeadline
      case .run(let batch):
        run(batch)
        return parker.wait()
      case .wait, .end:
        return parker.wait()
      }
    }
  }

  /// Executes a batch, lets the next one start, and then delivers the outcomes.
  func run(_ batch: Machine.Batch) {
    let executed = batch.entries.dropFirst(batch.injected.count)
    let works = executed.compactMap(\.work)
    let results = works.isEmpty ? [] : execute(works)
    var failures = max(0, works.count - results.count)
    for case .failure in results.prefix(works.count) { failures += 1 }
    let effects = finish(failures: failures, delivers: true)
    start(effects)
    for (entry, error) in zip(batch.entries, batch.injected) { deliver(.failure(error), to: entry) }
    var next = results.makeIterator()
    for entry in executed { deliver(next.next() ?? .failure(missingResult), to: entry) }
    release(effects.released)
    noteDelivered()
  }

  private func noteDelivered() {
    post { state in
      state.delivering -= 1
      return Machine.Actions()
    }
  }

  /// - Parameter delivers: Whether the caller delivers outcomes afterwards and then calls
  ///   ``noteDelivered()``.
  private func finish(failures: Int, delivers: Bool = false) -> Effects {
    state.withLock { state in
      state.runner = nil
      if delivers { state.delivering += 1 }
      return complete(&state, state.machine.batchFinished(failures: failures, now: writeQueueNow()))
    }
  }

  func deliver(_ outcome: Outcome, to entry: Entry) {
    switch entry {
    case .caller(_, let parker): parker.put(outcome)
    case .task(_, let continuation): continuation.resume(with: outcome)
    case .left(_, let answer): answer(outcome)
    case .turn: break
    }
  }

  private var missingResult: FiefError {
    FiefError(.storage, "The batch of the write returned no result for it.", store: name)
  }

  // MARK: The thread

  /// - Parameter parker: The parker in which the thread will sleep. It already contains the queue.
  func startThread(_ parker: WriteQueueParker<WriteQueue>) {
    // If no thread can be started, the items at the head of the queue fail, because their callers would
    // otherwise wait forever. The next item that needs the thread tries again.
    if makeThread("fief.\(name)", { while Self.runUntilIdle(at: parker) {} }) { return }
    let (entries, effects) = state.withLock { state -> ([Entry], Effects) in
      let (entries, actions) = state.machine.threadFailed(now: writeQueueNow())
      state.parker = nil
      state.delivering += 1
      return (entries, complete(&state, actions))
    }
    let error = FiefError(.storage, "The system cannot create a thread for the store's writes.", store: name)
    for entry in entries { deliver(.failure(error), to: entry) }
    carryOut(effects)
    noteDelivered()
  }

  /// Starts a new thread if the thread to wake has ended because it was idle.
  ///
  /// - Parameter parker: The parker in which the ended thread slept.
  func replaceThread(_ parker: WriteQueueParker<WriteQueue>) {
    let (current, isNew) = state.withLock { state -> (WriteQueueParker<WriteQueue>?, Bool) in
      guard state.parker === parker else { return (state.parker, false) }
      state.parker = WriteQueueParker()
      return (state.parker, true)
    }
    guard let current else { return }
    current.put(self)
    if isNew { startThread(current) }
  }

  /// The time without work after which the thread ends, in nanoseconds.
  private static var idleTime: Int { 1_000_000_000 }

  /// Sleeps until work arrives, and does the work. Returns `false` when the thread ends. A sleeping thread
  /// holds no reference to the queue.
  private static func runUntilIdle(at parker: WriteQueueParker<WriteQueue>) -> Bool {
    parker.takeOrAbandon(until: writeQueueNow() + idleTime)?.runUntilIdle(at: parker) ?? false
  }

  /// Does all available work on the queue's thread. Returns `false` when the thread ends.
  private func runUntilIdle(at parker: WriteQueueParker<WriteQueue>) -> Bool {
    let own = currentThread()
    while true {
      let (step, effects) = state.withLock { state -> (Machine.Step, Effects) in
        let (step, actions) = state.machine.threadStep(now: writeQueueNow())
        state.thread = own
        switch step {
        case .run: state.runner = own
        case .end: (state.thread, state.parker) = (nil, nil)
        // While the thread sleeps it may end, and the system may reuse its id for another thread.
        case .wait: state.thread = nil
        case .gather: break
        }
        return (step, complete(&state, actions))
      }
      carryOut(effects)
      switch step {
      case .run(let batch): run(batch)
      case .gather(let deadline): _ = parker.take(until: deadline)
      case .wait: return true
      case .end: return false
      }
    }
  }
}

extension WriteQueue.Entry {
  var work: Work? {
    switch self {
    case .caller(let work, _), .task(let work, _), .left(let work, _): work
    case .turn: nil
    }
  }
}
