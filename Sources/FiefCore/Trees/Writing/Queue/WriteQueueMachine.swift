/// The logic of a write queue without threads, locks or clocks: a value that receives events and returns
/// actions.
///
/// Items and turns wait in one line, in the order of their arrival. The front of the line is *pending*,
/// bounded by the limits; the rest waits for admission. At any time, at most one batch or one turn runs.
/// Times are nanoseconds of one monotonic clock.
///
/// The caller of a method that returns ``Actions`` must perform all of them.
package struct WriteQueueMachine<Entry> {
  package typealias Ticket = UInt64

  /// Determines which thread may start the first work in the queue.
  enum Phase: Equatable {
    /// Nothing runs and nothing can start, because the queue is empty or paused.
    case idle
    /// The thread has been asked to fetch a batch.
    case summoned
    /// A batch gathers: by the caller with this ticket, or by the thread if the ticket is `nil`.
    case gathering(by: Ticket?)
    /// A batch runs.
    case running
    /// A turn runs.
    case turn
  }

  enum ThreadState { case none, live, ended }

  struct Place {
    var entry: Entry
    var bytes: Int
    var isTurn: Bool
    /// Whether no caller waits for the item.
    var isLeft = false
    var arrival: Int
  }

  let limits: WriteQueueLimits
  let gatherInterval: Int

  var phase = Phase.idle
  var thread = ThreadState.none
  var isPaused = false
  var isAccepting = true

  var pending = WriteQueueLine<Place>()
  var pendingBytes = 0
  var pendingTurns = 0
  /// The number of pending items without waiting callers.
  var pendingLeft = 0
  /// The bytes of all items without waiting callers in the queue, admitted or not.
  var leftBytes = 0
  var waiting = WriteQueueLine<Place>()
  /// The turns that run before everything in the queue, as soon as the running batch or turn ends.
  var urgent: [Place] = []
  var nextTicket: Ticket = 0

  var runningItems = 0
  /// The number of running items without waiting callers.
  var runningLeft = 0
  var runningSince = 0

  // The state for decisions about gathering: see WriteQueueMachine+Gathering.
  var lastEnd = 0
  var lastDuration = 0
  var expectedCallers = 0
  var gatherStart = 0
  var gatherDeadline = 0
  var gatherCount = 0
  var isNudged = false
  /// Whether the gathering batch consists of items without waiting callers.
  var gathersLeft = false

  var injections: [Injection] = []
  var counters = WriteQueueStatistics()

  struct Injection {
    var remaining: Int
    let error: any Error & Sendable
  }

  package init(limits: WriteQueueLimits) {
    self.limits = limits.sanitized
    gatherInterval = self.limits.gatherNanoseconds
  }

  /// Whether nothing runs and nothing can start, because the queue is empty or paused.
  package var isQuiet: Bool { phase == .idle && (pending.isEmpty || isPaused) }

  /// Whether the queue is closed, everything is answered, and there is no thread.
  package var isFinished: Bool {
    !isAccepting && phase == .idle && pending.isEmpty && urgent.isEmpty && thread != .live
  }

  package var statistics: WriteQueueStatistics {
    var result = counters
    result.pending = pending.count
    result.waitingForRoom = waiting.count
    return result
  }

  // MARK: Pausing, closing, failing

  /// Prevents work from starting.
  package mutating func pause() {
    guard isAccepting else { return }
    isPaused = true
    switch phase {
    case .summoned, .gathering: phase = .idle
    case .idle, .running, .turn: break
    }
  }

  /// Allows the pending items to start again.
  package mutating func resume(now: Int) -> Actions {
    isPaused = false
    return advance(now: now)
  }

  /// Stops accepting work. The queued work is still done, even if the queue was paused.
  package mutating func close(now: Int) -> Actions {
    guard isAccepting else { return Actions() }
    isAccepting = false
    isPaused = false
    var actions = advance(now: now)
    nudgeIfGathered(&actions)
    return actions
  }

  /// Makes the next `count` items fail instead of being executed.
  package mutating func failNext(_ count: Int, with error: any Error & Sendable) {
    if count > 0 { injections.append(Injection(remaining: count, error: error)) }
  }

  mutating func takeInjection() -> (any Error & Sendable)? {
    guard !injections.isEmpty else { return nil }
    let error = injections[0].error
    injections[0].remaining -= 1
    if injections[0].remaining == 0 { injections.removeFirst() }
    return error
  }

  /// Returns the injected error for the turn that has just begun, or `nil` if the turn should run.
  package mutating func takeInjectionForTurn() -> (any Error & Sendable)? {
    guard phase == .turn, let error = takeInjection() else { return nil }
    counters.failures += 1
    return error
  }

  // MARK: The step after every event

  /// Starts all work that can start. Only this method starts work in response to an event.
  mutating func advance(now: Int) -> Actions {
    var actions = Actions()
    if phase == .idle, !urgent.isEmpty {
      grantUrgentTurn(now: now, &actions)
      return actions
    }
    guard phase == .idle, !isPaused else { return actions }
    if let head = pending.first {
      if head.isTurn {
        grantTurn(now: now, &actions)
      } else {
        phase = .summoned
        actions.thread = thread == .live ? .wake : .start
        thread = .live
      }
    } else if !isAccepting, thread == .live {
      actions.thread = .wake
    }
    return actions
  }
}
