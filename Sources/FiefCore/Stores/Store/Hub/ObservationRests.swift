/// The ends of the intervals in which observations are not called again, as a binary heap in which the next
/// end is first.
struct ObservationRests {
  private struct Rest {
    let end: Duration
    let id: UInt64
  }

  private var rests: [Rest] = []

  var count: Int { rests.count }

  /// The next end; nil if there are no intervals.
  var next: Duration? { rests.first?.end }

  mutating func insert(_ id: UInt64, until end: Duration) {
    rests.append(Rest(end: end, id: id))
    var index = rests.count - 1
    while index > 0, rests[index].end < rests[(index - 1) / 2].end {
      rests.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the observation whose interval ends next, or nil if no interval has ended at a time.
  mutating func removeFirst(upTo now: Duration) -> UInt64? {
    guard let first = rests.first, first.end <= now, let last = rests.popLast() else { return nil }
    if rests.isEmpty { return first.id }
    rests[0] = last
    sink(0)
    return first.id
  }

  /// Removes the intervals of ended observations.
  mutating func removeAll(where isEnded: (UInt64) -> Bool) {
    rests.removeAll { isEnded($0.id) }
    for index in (0..<rests.count / 2).reversed() { sink(index) }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < rests.count && rests[child].end < rests[least].end {
        least = child
      }
      if least == index { return }
      rests.swapAt(index, least)
      index = least
    }
  }
}
