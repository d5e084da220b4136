/// Determines when calls may begin, so that at most a given number begin in each time window: a state machine
/// without locks, clocks and tasks.
///
/// The window slides. A call first gets a slot and then begins; in between, its executor may be busy for any
/// time. The number of calls that have a slot, plus the number of calls that began in the last window, never
/// exceeds `maximum`. Waiting calls get slots in the order of their arrival.
struct ThrottleMachine {
  typealias Call = UInt64

  enum Action: Equatable {
    /// A waiting call has received a slot.
    case resume(Call)
    /// Start a task that calls `wake(at:)` until that returns no time.
    case startAlarm
  }

  let maximum: Int
  let window: Duration
  /// The times at which the last calls began, in ascending order. The windows of the times before the index
  /// `oldest` are over.
  private var begun: [Duration] = []
  private var oldest = 0
  /// The number of calls that have a slot but have not begun.
  private var placed = 0
  /// The calls in the order of their arrival. A call has a slot or was cancelled if its index is below
  /// `first` or if `waiting` does not contain it.
  private var line: [Call] = []
  private var first = 0
  private var waiting: Set<Call> = []
  private var hasAlarm = false

  init(maximum: Int, window: Duration) {
    self.maximum = maximum
    self.window = window
  }

  /// The number of calls that wait for a slot.
  var waitingCount: Int { waiting.count }

  /// Gives a call a slot if one is free and no other call waits.
  ///
  /// - Returns: whether the call has a slot.
  mutating func enter(at now: Duration) -> Bool {
    dropOld(at: now)
    guard waiting.isEmpty, hasRoom else { return false }
    placed += 1
    return true
  }

  /// Adds a waiting call.
  mutating func wait(_ call: Call, at now: Duration) -> [Action] {
    line.append(call)
    waiting.insert(call)
    return actions(at: now)
  }

  /// Removes a waiting call.
  ///
  /// - Returns: `false` if the call already has a slot.
  mutating func leave(_ call: Call) -> Bool {
    defer { compactLine() }
    return waiting.remove(call) != nil
  }

  /// Records that a call with a slot begins.
  mutating func begin(at now: Duration) -> [Action] {
    placed -= 1
    // Another thread may have read the clock later but acquired the lock first.
    begun.append(max(now, begun.last ?? now))
    return actions(at: now)
  }

  /// Returns the slot of a call that does not begin.
  mutating func giveBack(at now: Duration) -> [Action] {
    placed -= 1
    return actions(at: now)
  }

  /// Gives free slots to waiting calls.
  ///
  /// - Returns: the actions, and the time of the next call of this method, or `nil` to end the alarm.
  mutating func wake(at now: Duration) -> (actions: [Action], next: Duration?) {
    let actions = self.actions(at: now)
    hasAlarm = next != nil
    return (actions, next)
  }

  /// The time at which the first waiting call gets a slot, or `nil` if no call waits or a call with a slot
  /// has to begin first.
  private var next: Duration? {
    if waiting.isEmpty || begunCount == 0 { return nil }
    return begun[oldest] + window
  }

  /// Returns the time until one more call could begin, assuming that the calls with a slot begin now.
  mutating func retryAfter(at now: Duration) -> Duration {
    dropOld(at: now)
    // Each waiting call takes the next slot that becomes free.
    let place = waiting.count - (maximum - begunCount - placed)
    guard place >= 0 else { return .zero }
    let (rounds, rest) = place.quotientAndRemainder(dividingBy: maximum)
    let begin = rest < begunCount ? begun[oldest + rest] : now
    return max(.zero, begin + window * (rounds + 1) - now)
  }

  private var begunCount: Int { begun.count - oldest }
  private var hasRoom: Bool { begunCount < maximum - placed }

  private mutating func actions(at now: Duration) -> [Action] {
    dropOld(at: now)
    var actions: [Action] = []
    while first < line.count, hasRoom {
      if waiting.remove(line[first]) != nil {
        placed += 1
        actions.append(.resume(line[first]))
      }
      first += 1
    }
    compactLine()
    if !hasAlarm, next != nil {
      hasAlarm = true
      actions.append(.startAlarm)
    }
    return actions
  }

  private mutating func dropOld(at now: Duration) {
    while oldest < begun.count, begun[oldest] + window <= now { oldest += 1 }
    guard oldest > 32, oldest * 2 >= begun.count else { return }
    begun.removeFirst(oldest)
    oldest = 0
  }

  private mutating func compactLine() {
    if waiting.isEmpty {
      line.removeAll(keepingCapacity: line.count < 1024)
      first = 0
    } else if line.count > 64 + 2 * waiting.count {
      line = line[first...].filter { waiting.contains($0) }
      first = 0
    }
  }
}
