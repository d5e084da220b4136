/// The thread, the lock and the waiting around a ``WriteQueueMachine``.
///
/// The thread holds the core, not the queue, so that a queue that is dropped without being closed ends.
///
/// The machine takes each event under the lock; the actions that it returns are carried out outside of it
/// (``carryOut(_:)``). No thread waits while it holds the lock. A waiter is put in the machine's line, or on one of the
/// lists, in the same critical section that decided that it waits.
final class WriteQueueCore<Work: Sendable, Receipt: Sendable>: Sendable {
  typealias Outcome = Result<Receipt, any Error>
  typealias Machine = WriteQueueMachine<Entry>

  enum Entry {
    case caller(Work, WriteQueueParker<Outcome>)
    case task(Work, UnsafeContinuation<Receipt, any Error>)
    /// A work that no caller waits for: the closure gets the outcome.
    case left(Work, @Sendable (Outcome) -> Void)
    case turn(WriteQueueParker<Void>)
  }

  enum Waiter {
    case caller(WriteQueueParker<Void>)
    case task(UnsafeContinuation<Void, Never>)
  }

  struct State {
    var machine: Machine
    /// The thread that runs a batch or a turn.
    var runner: WriteQueueThreadID?
    /// The queue's own thread.
    var thread: WriteQueueThreadID?
    /// The number of threads that hand out the outcomes of a batch that has ended.
    var delivering = 0
    var idleWaiters: [Waiter] = []
    var endWaiters: [Waiter] = []

    /// A thread that must not wait for the queue, because the queue waits for it.
    func isOwn(_ thread: WriteQueueThreadID) -> Bool {
      thread == runner || thread == self.thread
    }

    /// The queue is closed, and every outcome was handed out.
    var isFinished: Bool { machine.isFinished && delivering == 0 }
  }

  /// The effects of a transition, performed outside the lock.
  struct Effects {
    var actions = Machine.Actions()
    var released: [Waiter] = []
  }

  let name: String
  let execute: @Sendable ([Work]) -> [Outcome]
  let makeThread: WriteQueueThread.Make
  let state: Lock<State>
  /// The parker in which the queue's thread sleeps.
  let parker = WriteQueueParker<Void>()

  init(
    name: String,
    limits: WriteQueueLimits,
    makeThread: @escaping WriteQueueThread.Make,
    execute: @escaping @Sendable ([Work]) -> [Outcome]
  ) {
    self.makeThread = makeThread
    self.name = name
    self.execute = execute
    state = Lock(State(machine: Machine(limits: limits)))
  }

  var statistics: WriteQueueStatistics {
    state.withLock { $0.machine.statistics }
  }

  // MARK: Transitions

  /// Completes an event, in the critical section in which the machine took it.
  func complete(_ state: inout State, _ actions: Machine.Actions) -> Effects {
    var effects = Effects(actions: actions)
    if case .turn(let parker)? = actions.granted { state.runner = parker.owner }
    if !state.idleWaiters.isEmpty, state.machine.isQuiet {
      effects.released += state.idleWaiters
      state.idleWaiters = []
    }
    if !state.endWaiters.isEmpty, state.isFinished {
      effects.released += state.endWaiters
      state.endWaiters = []
    }
    return effects
  }

  /// Wakes the thread or the turn that runs next. Results are delivered after it, and waiters released after those.
  func start(_ actions: Machine.Actions) {
    switch actions.thread {
    case .none: break
    case .wake: parker.nudge()
    case .start: startThread()
    }
    if case .turn(let parker)? = actions.granted { parker.put(()) }
    if case .caller(_, let parker)? = actions.nudged { parker.nudge() }
  }

  func release(_ waiters: [Waiter]) {
    for waiter in waiters {
      switch waiter {
      case .caller(let parker): parker.put(())
      case .task(let continuation): continuation.resume()
      }
    }
  }

  func carryOut(_ effects: Effects) {
    start(effects.actions)
    release(effects.released)
  }

  /// Takes an event whose only result is its actions.
  func post(_ event: (inout State) -> Machine.Actions) {
    let effects = state.withLock { state in
      let actions = event(&state)
      return complete(&state, actions)
    }
    carryOut(effects)
  }
}
