/// Merges several sorted runs of rows.
///
/// A binary heap orders the runs by their next rows, so each row takes a number of comparisons that is
/// logarithmic in the number of runs.
final class SortMerge {
  private struct Run {
    let reader: SpillReader
    /// The index of the run. Equal rows are returned in the order of their runs.
    let number: Int
  }

  private var heap: [Run]
  private let isBefore: (RowSorter.Keys, RowSorter.Keys) -> Bool
  private var hasBegun = false

  init(readers: [SpillReader], isBefore: @escaping (RowSorter.Keys, RowSorter.Keys) -> Bool) {
    heap = readers.enumerated().map { Run(reader: $1, number: $0) }
    self.isBefore = isBefore
  }

  /// Returns the run that has the next entry, or `nil` at the end.
  func next() throws -> SpillReader? {
    if !hasBegun {
      hasBegun = true
      heap = try heap.filter { try $0.reader.next() }
      for index in (0..<heap.count / 2).reversed() { sink(from: index) }
    } else if let first = heap.first {
      if try !first.reader.next() {
        let last = heap.removeLast()
        if !heap.isEmpty { heap[0] = last }
      }
      sink(from: 0)
    }
    return heap.first?.reader
  }

  /// Moves a run down the heap until it comes before its children.
  private func sink(from index: Int) {
    var index = index
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if comes(heap[child], before: heap[least]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  private func comes(_ first: Run, before second: Run) -> Bool {
    first.reader.withBytes { a in
      second.reader.withBytes { b in
        let (one, other) = (first.reader.entry.keys(in: a), second.reader.entry.keys(in: b))
        return isBefore(one, other) || (first.number < second.number && !isBefore(other, one))
      }
    }
  }
}
