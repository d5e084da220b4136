/// A state machine that decides which blocking work runs next, without threads and locks.
///
/// Each work item belongs to a lane. The items of a lane run one at a time, in the order of their arrival,
/// because on several threads they would only wait for each other. The number of threads is therefore at most
/// the number of lanes, and never more than `mostThreads`.
struct BackgroundMachine<Lane: Hashable> {
  typealias Work = UInt64

  private struct Line {
    /// The work items of the lane in the order of their arrival, including cancelled items. The items before
    /// the index `first` have begun.
    var works: [Work] = []
    var first = 0
  }

  let mostThreads: Int
  private var last: Work = 0
  private var lines: [Lane: Line] = [:]
  /// The lanes in which work items wait and none runs.
  private var ready: [Lane] = []
  private var firstReady = 0
  private var waiting: Set<Work> = []
  private(set) var threads = 0
  /// The number of threads that have not taken a work item yet.
  private var starting = 0

  init(mostThreads: Int) { self.mostThreads = mostThreads }

  /// The number of work items that have not begun.
  var waitingCount: Int { waiting.count }

  /// Adds a work item.
  ///
  /// - Returns: the identifier of the item, and whether the caller has to start a thread. The thread calls
  ///   ``next(after:)``.
  mutating func add(to lane: Lane) -> (work: Work, startsThread: Bool) {
    last += 1
    waiting.insert(last)
    if lines[lane] == nil { ready.append(lane) }
    lines[lane, default: Line()].works.append(last)
    let startsThread = ready.count - firstReady > starting && threads < mostThreads
    if startsThread {
      threads += 1
      starting += 1
    }
    return (last, startsThread)
  }

  /// Cancels a work item.
  ///
  /// - Returns: false if the item has already begun.
  mutating func cancel(_ work: Work) -> Bool { waiting.remove(work) != nil }

  /// Returns the work item that a thread runs next.
  ///
  /// - Parameter lane: the lane of the item that the thread has run; `nil` if the thread is new.
  /// - Returns: `nil` if the thread has to end.
  mutating func next(after lane: Lane?) -> (work: Work, lane: Lane)? {
    if let lane { ready.append(lane) } else { starting -= 1 }
    while firstReady < ready.count {
      let lane = ready[firstReady]
      firstReady += 1
      compactReady()
      if let work = take(from: lane) { return (work, lane) }
      lines[lane] = nil
    }
    threads -= 1
    return nil
  }

  /// Records that the system could not start a thread.
  ///
  /// - Returns: the work items that fail, because no thread can run them.
  mutating func startFailed() -> [Work] {
    starting -= 1
    threads -= 1
    guard threads == 0 else { return [] }
    defer { (lines, ready, firstReady, waiting) = ([:], [], 0, []) }
    return waiting.sorted()
  }

  private mutating func take(from lane: Lane) -> Work? {
    guard var line = lines[lane] else { return nil }
    defer { lines[lane] = line }
    while line.first < line.works.count {
      let work = line.works[line.first]
      line.first += 1
      if line.first > 64, line.first * 2 > line.works.count {
        line.works.removeFirst(line.first)
        line.first = 0
      }
      if waiting.remove(work) != nil { return work }
    }
    return nil
  }

  private mutating func compactReady() {
    guard firstReady > 64, firstReady * 2 > ready.count else { return }
    ready.removeFirst(firstReady)
    firstReady = 0
  }
}
