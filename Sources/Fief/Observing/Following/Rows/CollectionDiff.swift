/// Finds what became of rows: which of them stay, which are gone, which are new.
///
/// The runs that both states share stay. Between them as many rows stay as can without one passing another; of an object
/// with several rows the first one is taken for the first one, the second for the second, and so on.
struct CollectionDiff {
  private(set) var changes = CollectionChanges()
  private var old = RowBuffer()
  private var new = RowBuffer()
  private var oldStart = 0
  private var newStart = 0

  /// What became of the rows of one state in another one.
  static func changes(from old: ObservedRows, to new: ObservedRows) -> CollectionChanges {
    var diff = CollectionDiff()
    forEachGap(old, new) { oldRuns, newRuns in
      diff.old = RowBuffer(old.runs[oldRuns])
      diff.new = RowBuffer(new.runs[newRuns])
      diff.oldStart = old.start(ofRun: oldRuns.lowerBound)
      diff.newStart = new.start(ofRun: newRuns.lowerBound)
      diff.compare()
    }
    return diff.changes
  }

  /// Calls `body` with the runs between those that are in both, in their order.
  private static func forEachGap(
    _ old: ObservedRows,
    _ new: ObservedRows,
    _ body: (Range<Int>, Range<Int>) -> Void
  ) {
    var (first, oldEnd, newEnd) = (0, old.runs.count, new.runs.count)
    while first < oldEnd, first < newEnd, old.runs[first] === new.runs[first] { first += 1 }
    while first < oldEnd, first < newEnd, old.runs[oldEnd - 1] === new.runs[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    var places: [ObjectIdentifier: Int] = [:]
    if oldEnd - first > 1, newEnd - first > 1 {
      places.reserveCapacity(newEnd - first)
      for place in first..<newEnd { places[ObjectIdentifier(new.runs[place])] = place }
    }
    var (oldFirst, newFirst) = (first, first)
    for place in first..<oldEnd {
      guard let other = places[ObjectIdentifier(old.runs[place])], other >= newFirst else { continue }
      if oldFirst < place || newFirst < other { body(oldFirst..<place, newFirst..<other) }
      (oldFirst, newFirst) = (place + 1, other + 1)
    }
    if oldFirst < oldEnd || newFirst < newEnd { body(oldFirst..<oldEnd, newFirst..<newEnd) }
  }

  /// Compares the rows at hand.
  private mutating func compare() {
    var first = 0
    var (oldEnd, newEnd) = (old.count, new.count)
    while first < oldEnd, first < newEnd, isSame(first, first) {
      note(stayed: first, first)
      first += 1
    }
    while first < oldEnd, first < newEnd, isSame(oldEnd - 1, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
    }
    if first < oldEnd, first < newEnd {
      compareMiddle(first..<oldEnd, first..<newEnd)
    } else {
      for index in first..<oldEnd { changes.deletions.append(oldStart + index) }
      for index in first..<newEnd { changes.insertions.append(newStart + index) }
    }
    for distance in 0..<(old.count - oldEnd) { note(stayed: oldEnd + distance, newEnd + distance) }
  }

  private func isSame(_ first: Int, _ second: Int) -> Bool {
    old.hashes[first] == new.hashes[second]
      && old.withKey(at: first) { key in new.withKey(at: second) { $0.elementsEqual(key) } }
  }

  private mutating func note(stayed first: Int, _ second: Int) {
    if old.stamps[first] != new.stamps[second] { changes.modifications.append(newStart + second) }
  }

  private mutating func compareMiddle(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var partners = RowPartners.partners(of: new, newRange, among: old, oldRange)
    IncreasingSubsequence.keep(in: &partners)
    var next = oldRange.lowerBound
    for (index, partner) in zip(newRange, partners) {
      guard partner >= 0 else {
        changes.insertions.append(newStart + index)
        continue
      }
      let former = Int(partner)
      while next < former {
        changes.deletions.append(oldStart + next)
        next += 1
      }
      next = former + 1
      note(stayed: former, index)
    }
    while next < oldRange.upperBound {
      changes.deletions.append(oldStart + next)
      next += 1
    }
  }
}
