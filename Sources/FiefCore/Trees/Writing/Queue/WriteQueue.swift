import LMDB

/// The one background writer of a store: it takes work from any number of producers, and executes it in
/// batches, one at a time, in the order in which it came.
///
/// Everything that waits when a batch begins goes into it, so that many producers share one commit. A
/// producer gets its result when the batch with its work has been executed, never before. The
/// order of one producer's calls is the order of execution.
///
/// Batches run on a thread of the queue. The thread is started when it is needed, and ends after a second without work; when the queue is
/// idle, a synchronous producer runs its batch on its own thread and saves two thread switches. Turns
/// run on their callers' threads, in line with the batches.
///
/// The queue is bounded: beyond the limits producers wait in line, first come, first served. A producer that
/// waits for its result keeps one work alive. Work that is left to the queue without waiting has a limit of
/// its own, in bytes, beyond which it is refused.
///
/// What is done with its state is decided by a ``WriteQueueMachine``. It takes each event under the lock; the actions that it
/// returns are carried out outside of it (``carryOut(_:)``). No thread waits while it holds the lock. A waiter is put in the
/// machine's line, or on one of the lists, in the same critical section that decided that it waits.
///
/// The thread has a reference to the queue only from a wake-up until nothing is left to do: it gets the one of the thread that
/// wakes it, with the wake-up. A queue that is dropped without being closed ends, after the works in its line.
package final class WriteQueue<Work: Sendable, Receipt: Sendable>: Sendable {
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
    /// The parker in which that thread sleeps; nil where there is none.
    ///
    /// What is put there goes with the thread, so that the queue is never kept alive by a reference to itself.
    var parker: WriteQueueParker<WriteQueue>?
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
    /// The parker of the thread that the actions wake or start.
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

  /// Makes a queue; it has no thread until it needs one.
  ///
  /// - Parameters:
  ///   - name: The store's name, for errors and for the thread.
  ///   - limits: The limits of the queue.
  ///   - execute: Runs a batch and returns one result for each work, in order. It is called on the
  ///     queue's thread or on that of a synchronous producer, never twice at once. Works without a
  ///     result fail with `storage`.
  package convenience init(
    name: String,
    limits: WriteQueueLimits = .init(),
    execute: @escaping @Sendable ([Work]) -> [Result<Receipt, any Error>]
  ) {
    self.init(name: name, limits: limits, makeThread: WriteQueueThread.start, execute: execute)
  }

  /// Makes a queue that gets its thread from elsewhere.
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
    // No thread is inside of the queue. What is left is a thread that sleeps, and works in the line of a paused queue:
    // another queue takes them over, and lives until the thread has done the works and ended.
    let rest = state.withLock { $0 }
    guard rest.machine.isAccepting, rest.parker != nil || !rest.machine.pending.isEmpty else { return }
    WriteQueue(name: name, makeThread: makeThread, execute: execute, state: rest).close(waiting: false)
  }

  // MARK: Transitions

  /// Completes an event, in the critical section in which the machine took it.
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

  /// Wakes the thread or the turn that runs next. Results are delivered after it, and waiters released after those.
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

  /// Takes an event whose only result is its actions.
  func post(_ event: (inout State) -> Machine.Actions) {
    let effects = state.withLock { state in
      let actions = event(&state)
      return complete(&state, actions)
    }
    carryOut(effects)
  }
}
