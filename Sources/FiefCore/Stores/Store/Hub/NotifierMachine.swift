/// A state machine without threads and locks that decides which store's observations a notifier thread
/// evaluates next.
///
/// At most one thread works on a store. A store that is raised in the meantime is evaluated again. Up to two
/// threads sleep until a store is raised or its time comes. The machine starts another thread if a store is
/// due, or if no thread sleeps until the next time. It never starts more than `mostThreads`.
struct NotifierMachine {
  typealias ID = UInt64

  /// The next step of a thread.
  enum Step: Equatable {
    case work(ID)
    /// Sleep until the thread is woken, or until a time in nanoseconds.
    case sleep(until: Int?)
    case end
  }

  /// When a store is evaluated again.
  enum Outcome: Equatable {
    case again
    /// When the store is raised, or at a time in nanoseconds.
    case waits(until: Int?)
    /// Never, because the store has no observations.
    case ended
  }

  /// The action for the thread that has made a store due.
  enum Action: Equatable { case nothing, wake, startThread }

  private enum Phase { case idle, due, running }

  private struct Entry {
    var phase = Phase.due
    /// Whether the store was raised while a thread worked on it.
    var isRaised = false
    /// Whether the store got observations again while a thread worked on it.
    var isAdded = false
    var time: Int?
  }

  let mostThreads: Int
  private static let mostSleeping = 2
  private var entries: [ID: Entry] = [:]
  private var due: [ID] = []
  private var firstDue = 0
  /// The stores with a time.
  private var timed: Set<ID> = []
  private(set) var threads = 0
  private(set) var sleeping = 0
  /// The number of started threads that have not requested a step yet.
  private var starting = 0

  init(mostThreads: Int) { self.mostThreads = mostThreads }

  /// Adds a store, which is due immediately.
  mutating func add(_ id: ID) -> Action {
    if entries[id] != nil {
      entries[id]?.isAdded = true
      return raise(id)
    }
    entries[id] = Entry()
    due.append(id)
    return action()
  }

  /// Records that there may be something to evaluate in a store.
  mutating func raise(_ id: ID) -> Action {
    switch entries[id]?.phase {
    case nil, .due: return .nothing
    case .running:
      entries[id]?.isRaised = true
      return .nothing
    case .idle:
      makeDue(id)
      return action()
    }
  }

  /// Decides what an idle thread does next. The thread carries out the returned action before the step.
  ///
  /// - Parameters:
  ///   - now: the time in nanoseconds.
  ///   - isNew: whether it is the first call of the thread.
  mutating func next(now: Int, isNew: Bool) -> (step: Step, action: Action) {
    if isNew { starting -= 1 }
    for id in timed where entries[id]?.time.map({ $0 <= now }) == true && entries[id]?.phase == .idle {
      makeDue(id)
    }
    if firstDue < due.count {
      let id = due[firstDue]
      firstDue += 1
      compactDue()
      entries[id]?.phase = .running
      entries[id]?.isRaised = false
      return (.work(id), help())
    }
    if entries.isEmpty || sleeping >= Self.mostSleeping {
      threads -= 1
      return (.end, .nothing)
    }
    sleeping += 1
    return (.sleep(until: timed.compactMap { entries[$0]?.time }.min()), .nothing)
  }

  /// Records that a sleeping thread has woken up.
  mutating func woke() { sleeping -= 1 }

  /// Records that a thread has evaluated a store.
  ///
  /// - Returns: whether the store will be evaluated again.
  mutating func done(_ id: ID, _ outcome: Outcome) -> Bool {
    guard let entry = entries[id] else { return false }
    entries[id]?.isAdded = false
    switch outcome {
    case .ended where !entry.isAdded:
      entries[id] = nil
      timed.remove(id)
      return false
    case .waits(let time) where !entry.isRaised:
      entries[id]?.phase = .idle
      entries[id]?.time = time
      if time == nil { timed.remove(id) } else { timed.insert(id) }
    default: makeDue(id)
    }
    return true
  }

  /// Records that the system could not start a thread.
  ///
  /// - Returns: the stores that no thread evaluates.
  mutating func startFailed() -> [ID] {
    starting -= 1
    threads -= 1
    guard threads == 0 else { return [] }
    defer { (entries, due, firstDue, timed) = ([:], [], 0, []) }
    return entries.keys.sorted()
  }

  private mutating func makeDue(_ id: ID) {
    entries[id]?.phase = .due
    entries[id]?.time = nil
    timed.remove(id)
    due.append(id)
  }

  private mutating func compactDue() {
    guard firstDue == due.count || (firstDue > 64 && firstDue * 2 > due.count) else { return }
    due.removeFirst(firstDue)
    firstDue = 0
  }

  /// Returns the action that gets another thread for the remaining stores while the calling thread works on
  /// its store.
  private mutating func help() -> Action {
    if firstDue < due.count { return action() }
    guard !timed.isEmpty, sleeping + starting == 0, threads < mostThreads else { return .nothing }
    return startThread()
  }

  private mutating func action() -> Action {
    // Each sleeping or starting thread takes one of the stores.
    guard due.count - firstDue > sleeping + starting, threads < mostThreads else { return .wake }
    return startThread()
  }

  private mutating func startThread() -> Action {
    threads += 1
    starting += 1
    return .startThread
  }
}
