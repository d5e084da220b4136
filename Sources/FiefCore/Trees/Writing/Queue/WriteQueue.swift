import LMDB

/// The background writer of a store. It takes work from any number of producers and executes it in batches,
/// one batch at a time, in the order of arrival.
///
/// A batch contains everything that waits when it begins, so many producers share one commit. A producer
/// receives its result only after the batch with its work has been executed. The calls of one producer are
/// executed in their order.
///
/// Batches run on a thread of the queue. The thread starts when it is needed, and ends after a second without
/// work. If the queue is idle, a synchronous producer runs its batch on its own thread, which saves two
/// thread switches. Turns run on their callers' threads, in the order of the queue.
///
/// The queue is bounded. Beyond the limits, producers wait in the order of their arrival. A producer that
/// waits for its result has one work item in the queue at a time. Work that is enqueued without waiting has a
/// separate limit, in bytes; the queue refuses work beyond that limit.
///
/// A ``WriteQueueMachine`` makes all decisions about the state. It receives each event under the lock. The
/// actions that it returns are performed outside the lock (``carryOut(_:)``). No thread waits while it holds
/// the lock. If the machine decides that a caller has to wait, the caller is added to a list in the same
/// critical section.
///
/// The thread holds a reference to the queue only from a wake-up until no work is left. It receives the
/// reference from the thread that wakes it. If a queue is released without being closed, it completes its
/// work and then ends.
package final class WriteQueue<Work: Sendable, Receipt: Sendable>: Sendable {
  typealias Outcome = Result<Receipt, any Error>
  typealias Machine = WriteQueueMachine<Entry>

  enum Entry {
    case caller(Work, WriteQueueParker<Outcome>)
    case task(Work, UnsafeContinuation<Receipt, any Error>)
    /// Work for which no caller waits. The closure receives the outcome.
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
    var runner: UInt?
    /// The queue's own thread.
    var thread: UInt?
    /// The parker in which the queue's thread sleeps, or `nil` if there is no thread.
    ///
    /// A value in the parker is released with the thread, so the queue never keeps itself alive.
    var parker: WriteQueueParker<WriteQueue>?
    /// The number of threads that are delivering the outcomes of a finished batch.
    var delivering = 0
    var idleWaiters: [Waiter] = []
    var endWaiters: [Waiter] = []

    /// Whether a thread must not wait for the queue, because the queue itself waits for this thread.
    func isOwn(_ thread: UInt) -> Bool {
      thread == runner || thread == self.thread
    }

    /// Whether the queue is closed and all outcomes were delivered.
    var isFinished: Bool { machine.isFinished && delivering == 0 }
  }

  /// The effects of a transition, performed outside the lock.
  struct Effects {
    var actions = Machine.Actions()
    /// The parker of the thread to wake or start.
    var parker: WriteQueueParker<WriteQueue>?
    var released: [Waiter] = []
  }

  let name: String
  let execute: @Sendable ([Work]) -> [Outcome]
  let makeThread: WriteQueueThread.Make
  let state: OwnedLock<State>

  private init(
    name: String,
    makeThread: @escaping WriteQueueThread.Make,
    execute: @escaping @Sendable ([Work]) -> [Outcome],
    state: State
  ) {
    self.name = name
    self.makeThread = makeThread
    self.execute = execute
    self.state = OwnedLock(state)
  }

  /// Creates a queue. The queue has no thread until it needs one.
  ///
  /// - Parameters:
  ///   - name: The store's name, for errors and for the thread.
  ///   - limits: The limits of the queue.
  ///   - execute: Runs a batch and returns one result for each work item, in order. It is called on the
  ///     queue's thread or on the thread of a synchronous producer, and never concurrently. Work items
  ///     without a result fail with `storage`.
  package convenience init(
    name: String,
    limits: WriteQueueLimits = .init(),
    execute: @escaping @Sendable ([Work]) -> [Result<Receipt, any Error>]
  ) {
    self.init(name: name, limits: limits, makeThread: WriteQueueThread.start, execute: execute)
  }

  /// Creates a queue that starts its thread with `makeThread`.
  convenience init(
    name: String,
    limits: WriteQueueLimits = .init(),
    makeThread: @escaping WriteQueueThread.Make,
    execute: @escaping @Sendable ([Work]) -> [Result<Receipt, any Error>]
  ) {
    self.init(
      name: name,
      makeThread: makeThread,
      execute: execute,
      state: State(machine: Machine(limits: limits))
    )
  }

  deinit {
    // No thread is inside the queue. Only a sleeping thread and the work of a paused queue may be left.
    // Another queue takes them over and lives until its thread has done the work and ended.
    let rest = state.withLock { $0 }
    guard rest.machine.isAccepting, rest.parker != nil || !rest.machine.pending.isEmpty else { return }
    WriteQueue(name: name, makeThread: makeThread, execute: execute, state: rest).close(waiting: false)
  }

  // MARK: Transitions

  /// Completes an event in the critical section in which the machine received it.
  func complete(_ state: inout State, _ actions: Machine.Actions) -> Effects {
    var effects = Effects(actions: actions)
    switch actions.thread {
    case .none: break
    case .wake: effects.parker = state.parker
    case .start:
      state.parker = WriteQueueParker()
      effects.parker = state.parker
    }
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

  /// Wakes the thread or the turn that runs next. The caller delivers results afterwards, and then releases
  /// waiters.
  func start(_ effects: Effects) {
    if let parker = effects.parker {
      let isAwaited = parker.put(self)
      if effects.actions.thread == .start { startThread(parker) } else if !isAwaited { replaceThread(parker) }
    }
    if case .turn(let parker)? = effects.actions.granted { parker.put(()) }
    if case .caller(_, let parker)? = effects.actions.nudged { parker.nudge() }
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
    start(effects)
    release(effects.released)
  }

  /// Performs an event whose only result is its actions.
  func post(_ event: (inout State) -> Machine.Actions) {
    let effects = state.withLock { state in
      let actions = event(&state)
      return complete(&state, actions)
    }
    carryOut(effects)
  }
}
