/// The logic of a write queue without threads, locks or clocks: a value that takes events and returns the
/// actions for them.
///
/// Items and turns stand in one line, in the order of their arrival. The front of the line is *pending*,
/// bounded by the limits; the rest waits for admission. At most one of these happens at a time: a batch runs,
/// or a turn does. Times are nanoseconds of one monotonic clock.
///
/// The caller of a method that returns ``Actions`` carries all of them out.
package struct WriteQueueMachine<Entry> {
  package typealias Ticket = UInt64

  /// Decides which thread may start the first work in line.
  enum Phase: Equatable {
    /// Nothing runs, and nothing can start: the line is empty or the queue is paused.
    case idle
    /// The thread has been asked to fetch a batch.
    case summoned
    /// A batch gathers: at the caller with this ticket, or at the thread.
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
    /// Whether no caller waits for it.
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
  /// The pending items that no caller waits for.
  var pendingLeft = 0
  /// The bytes of all items in line, admitted or not, that no caller waits for.
  var leftBytes = 0
  var waiting = WriteQueueLine<Place>()
  /// Turns that come before all that is in line, as soon as what runs is done.
  var urgent: [Place] = []
  var nextTicket: Ticket = 0

  var runningItems = 0
  /// The number of running works that no caller waits for.
  var runningLeft = 0
  var runningSince = 0

  // The state that decides about gathering: see WriteQueueMachine+Gathering.
  var lastEnd = 0
  var lastDuration = 0
  var expectedCallers = 0
  var gatherStart = 0
  var gatherDeadline = 0
  var gatherCount = 0
  var isNudged = false
  /// Whether what gathers are items that no caller waits for.
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

  /// Nothing runs and nothing is about to: the line is empty, or the queue is paused.
  package var isQuiet: Bool { phase == .idle && (pending.isEmpty || isPaused) }

  /// The queue is closed, everything is answered, and there is no thread.
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

  /// Lets nothing start from now on.
  package mutating func pause() {
    guard isAccepting else { return }
    isPaused = true
    switch phase {
    case .summoned, .gathering: phase = .idle
    case .idle, .running, .turn: break
    }
  }

  /// Lets the pending items start again.
  package mutating func resume(now: Int) -> Actions {
    isPaused = false
    return advance(now: now)
  }

  /// Accepts nothing from now on; the line is still done, even if the queue was paused.
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

  /// The error for the turn that has just begun, nil where it is to be run.
  package mutating func takeInjectionForTurn() -> (any Error & Sendable)? {
    guard phase == .turn, let error = takeInjection() else { return nil }
    counters.failures += 1
    return error
  }

  // MARK: The step after every event

  /// Starts all work that can start: the one place where work is handed out after an event.
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
