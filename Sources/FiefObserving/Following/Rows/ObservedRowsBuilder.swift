/// Divides rows into runs, and reuses unchanged runs of an earlier state.
package struct ObservedRowsBuilder {
  /// The number of rows in a new run.
  private static let size = 256
  /// The size below which a run is merged with the next one.
  private static let least = 64

  private var runs: [RowRun] = []
  private var open = RowBuffer()
  /// The rows of an earlier state. Equal runs are reused.
  private let earlier: ObservedRows
  private var start = 0

  /// - Parameter earlier: earlier rows, which the new rows are likely to begin with.
  package init(like earlier: ObservedRows = .none) { self.earlier = earlier }

  package mutating func append(_ key: UnsafeRawBufferPointer, stamp: UInt64) {
    open.append(key, stamp: stamp)
    if open.count >= 2 * Self.size { flush() }
  }

  /// Appends rows of a run.
  mutating func append(_ run: RowRun, _ range: Range<Int>) {
    if range.isEmpty { return }
    if range.count == run.count, open.isEmpty || open.count >= Self.least {
      flush()
      runs.append(run)
      start += run.count
      return
    }
    run.append(range, to: &open)
    if open.count >= 2 * Self.size { flush() }
  }

  /// Appends rows of other rows.
  mutating func append(_ rows: ObservedRows, _ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let number = rows.run(at: position)
      let start = rows.start(ofRun: number)
      let end = min(start + rows.runs[number].count, range.upperBound)
      append(rows.runs[number], (position - start)..<(end - start))
      position = end
    }
  }

  package mutating func finish() -> ObservedRows {
    flush()
    return ObservedRows(runs: runs)
  }

  private mutating func flush() {
    var first = 0
    while first < open.count {
      let left = open.count - first
      let count = left >= 2 * Self.size ? Self.size : left
      let run = open.run(first..<(first + count))
      runs.append(known(run) ?? run)
      start += count
      first += count
    }
    open.removeAll()
  }

  /// Returns the earlier run at the same position, if it is equal.
  private func known(_ run: RowRun) -> RowRun? {
    guard start < earlier.count else { return nil }
    let number = earlier.run(at: start)
    guard earlier.start(ofRun: number) == start, earlier.runs[number].isEqual(to: run) else { return nil }
    return earlier.runs[number]
  }
}
