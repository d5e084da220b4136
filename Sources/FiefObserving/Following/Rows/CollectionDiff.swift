import FiefCore

/// Computes the difference between two states of rows: the unchanged, deleted and inserted rows.
///
/// Runs shared by both states are unchanged. Between these runs as many rows as possible are kept in order.
/// If an object has several rows, its first row corresponds to its first row in the other state, its second
/// row to its second, and so on.
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

  /// Returns the changes that lead from one state of the rows to another.
  package static func changes(from old: ObservedRows, to new: ObservedRows) -> CollectionChanges {
    var changes = CollectionChanges()
    let first = changes.noteModifications(from: old, to: new)
    forEachGap(old, new, from: first) { oldRuns, newRuns in
      let (oldStart, newStart) = (old.start(ofRun: oldRuns.lowerBound), new.start(ofRun: newRuns.lowerBound))
      RowBuffer(old.runs[oldRuns]).withView { oldRows in
        RowBuffer(new.runs[newRuns]).withView { newRows in
          var diff = CollectionDiff(changes, oldRows, oldStart, newRows, newStart)
          // Moves the changes out of the variable, so that their arrays grow in place.
          changes = CollectionChanges()
          diff.compare()
          changes = diff.changes
        }
      }
    }
    return changes
  }

  /// Calls `body` with the runs between the runs that both states share, in order.
  ///
  /// - Parameter first: the number of runs at the beginning that are already compared.
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

  /// Compares the rows of one gap.
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

  /// Records the changes between two unchanged rows. An object with several rows may have rows without a
  /// partner here, because other rows of the object are inserted and deleted elsewhere.
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
  /// Records the modifications in the leading runs whose keys are equal in both states.
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
