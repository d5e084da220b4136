/// Decides when calls begin of which at most a number begin in each window of time: a state machine without a lock, a clock
/// and tasks.
///
/// The window slides: a call begins where fewer than the greatest number have begun in the time before it. Calls that wait
/// begin in the order in which they came, and none that came later before them.
struct ThrottleMachine {
  typealias Call = UInt64

  let maximum: Int
  let window: Duration
  /// The times at which the last calls began, the oldest first; those before `oldest` are over.
  private var begun: [Duration] = []
  private var oldest = 0
  /// The calls that wait, the first one first; those before `first`, and those that are not in `waiting`, have begun or left.
  private var line: [Call] = []
  private var first = 0
  private var waiting: Set<Call> = []

  init(maximum: Int, window: Duration) {
    self.maximum = maximum
    self.window = window
  }

  /// How many calls wait.
  var waitingCount: Int { waiting.count }

  /// Begins a call, unless it would have to wait.
  ///
  /// - Returns: whether it has begun.
  mutating func begin(at now: Duration) -> Bool {
    dropOld(at: now)
    guard waiting.isEmpty, begunCount < maximum else { return false }
    begun.append(now)
    return true
  }

  /// Adds a call that waits.
  mutating func wait(_ call: Call) {
    line.append(call)
    waiting.insert(call)
  }

  /// Removes a call that was cancelled; false where it has begun.
  mutating func leave(_ call: Call) -> Bool {
    defer { compactLine() }
    return waiting.remove(call) != nil
  }

  /// Begins the calls that have waited long enough, in their order.
  mutating func beginWaiting(at now: Duration) -> [Call] {
    dropOld(at: now)
    var calls: [Call] = []
    while first < line.count, begunCount < maximum {
      if waiting.remove(line[first]) != nil {
        calls.append(line[first])
        begun.append(now)
      }
      first += 1
    }
    compactLine()
    return calls
  }

  /// The time at which the first call that waits can begin; nil where none waits.
  var next: Duration? {
    if waiting.isEmpty { return nil }
    return begunCount < maximum ? .zero : begun[oldest] + window
  }

  /// The time until one more call could begin.
  mutating func retryAfter(at now: Duration) -> Duration {
    dropOld(at: now)
    // Each call that waits takes the next place that becomes free.
    let place = waiting.count - (maximum - begunCount)
    guard place >= 0, begunCount > 0 else { return .zero }
    let (rounds, rest) = place.quotientAndRemainder(dividingBy: begunCount)
    return max(.zero, begun[oldest + rest] + window * (rounds + 1) - now)
  }

  private var begunCount: Int { begun.count - oldest }

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
