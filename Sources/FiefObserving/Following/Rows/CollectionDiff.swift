import FiefCore

/// Computes the difference of rows: those that stay, that were removed, and that are new.
///
/// The runs that both states share stay. Between them as many rows stay as can without one passing another; of an object
/// with several rows the first one is taken for the first one, the second for the second, and so on.
package struct CollectionDiff {
  private var changes: CollectionChanges
  private let old: RowView
  private let new: RowView
  private let oldStart: Int
  private let newStart: Int

  private init(_ changes: CollectionChanges, _ old: RowView, _ oldStart: Int, _ new: RowView, _ newStart: Int)
  {
    self.changes = changes
    self.old = old
    self.oldStart = oldStart
    self.new = new
    self.newStart = newStart
  }

  /// The changes that lead from the rows of one state to those of another one.
  package static func changes(from old: ObservedRows, to new: ObservedRows) -> CollectionChanges {
    var changes = CollectionChanges()
    let first = changes.noteModifications(from: old, to: new)
    forEachGap(old, new, from: first) { oldRuns, newRuns in
      let (oldStart, newStart) = (old.start(ofRun: oldRuns.lowerBound), new.start(ofRun: newRuns.lowerBound))
      RowBuffer(old.runs[oldRuns]).withView { oldRows in
        RowBuffer(new.runs[newRuns]).withView { newRows in
          var diff = CollectionDiff(changes, oldRows, oldStart, newRows, newStart)
          // The changes are moved out of the variable, so that their arrays grow in place.
          changes = CollectionChanges()
          diff.compare()
          changes = diff.changes
        }
      }
    }
    return changes
  }

  /// Calls `body` with the runs between those that are in both, in their order.
  ///
  /// - Parameter first: the number of runs at the beginning that are done.
  private static func forEachGap(
    _ old: ObservedRows,
    _ new: ObservedRows,
    from first: Int,
    _ body: (Range<Int>, Range<Int>) -> Void
  ) {
    var (oldEnd, newEnd) = (old.runs.count, new.runs.count)
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
      note(first..<oldEnd, became: first..<newEnd)
    }
    for distance in 0..<(old.count - oldEnd) { note(stayed: oldEnd + distance, newEnd + distance) }
  }

  @inline(__always)
  private func isSame(_ first: Int, _ second: Int) -> Bool { old.isSame(first, as: new, second) }

  private mutating func note(stayed first: Int, _ second: Int) {
    if old.stamps[first] != new.stamps[second] { changes.modifications.append(newStart + second) }
  }

  private mutating func compareMiddle(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var partners = RowPartners.partners(of: new, newRange, among: old, oldRange)
    IncreasingSubsequence.keep(in: &partners)
    var (oldNext, newNext) = (oldRange.lowerBound, newRange.lowerBound)
    for (index, partner) in zip(newRange, partners) where partner >= 0 {
      let former = Int(partner)
      note(oldNext..<former, became: newNext..<index)
      note(stayed: former, index)
      (oldNext, newNext) = (former + 1, index + 1)
    }
    note(oldNext..<oldRange.upperBound, became: newNext..<newRange.upperBound)
  }

  /// Notes the changes between two rows that stay. Of objects with several rows there may be some that have
  /// found no partner because others of their rows are inserted and removed elsewhere.
  private mutating func note(_ oldGap: Range<Int>, became newGap: Range<Int>) {
    var (oldFirst, newFirst) = (oldGap.lowerBound, newGap.lowerBound)
    var (oldEnd, newEnd) = (oldGap.upperBound, newGap.upperBound)
    while oldFirst < oldEnd, newFirst < newEnd, isSame(oldFirst, newFirst) {
      note(stayed: oldFirst, newFirst)
      (oldFirst, newFirst) = (oldFirst + 1, newFirst + 1)
    }
    while oldFirst < oldEnd, newFirst < newEnd, isSame(oldEnd - 1, newEnd - 1) {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    for index in oldFirst..<oldEnd { changes.deletions.append(oldStart + index) }
    for index in newFirst..<newEnd { changes.insertions.append(newStart + index) }
    for index in newEnd..<newGap.upperBound {
      note(stayed: oldEnd + index - newEnd, index)
    }
  }
}

extension CollectionChanges {
  /// Notes the modifications in the runs at the beginning that have the same keys in both states.
  ///
  /// - Returns: the number of these runs.
  fileprivate mutating func noteModifications(from old: ObservedRows, to new: ObservedRows) -> Int {
    var number = 0
    while number < old.runs.count, number < new.runs.count, old.runs[number].hasKeys(of: new.runs[number]) {
      let (run, start) = (new.runs[number], new.start(ofRun: number))
      if run !== old.runs[number] {
        for (index, (stamp, former)) in zip(run.stamps, old.runs[number].stamps).enumerated()
        where stamp != former {
          modifications.append(start + index)
        }
      }
      number += 1
    }
    return number
  }
}
