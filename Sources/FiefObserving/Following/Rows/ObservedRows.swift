import FiefCore
import LMDB

/// The rows of a query in one state: the keys of the objects in order, each with a stamp.
///
/// The rows are divided into runs that copies share, so a change in the middle replaces only a few runs.
package struct ObservedRows: Sendable {
  package static let none = ObservedRows(runs: [])

  let runs: [RowRun]
  /// The index of each run's first row, followed by the number of all rows.
  private let starts: [Int]

  init(runs: [RowRun]) {
    self.runs = runs
    var starts: [Int] = []
    starts.reserveCapacity(runs.count + 1)
    var count = 0
    for run in runs {
      starts.append(count)
      count += run.count
    }
    starts.append(count)
    self.starts = starts
  }

  var count: Int { starts[runs.count] }
  var isEmpty: Bool { count == 0 }

  /// Calls `body` with the key of a row's object. The bytes are valid until `body` returns.
  ///
  /// - Returns: `nil` if the index is out of range.
  package func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows
    -> Value?
  {
    guard index >= 0, index < count else { return nil }
    let run = run(at: index)
    return try runs[run].withKey(at: index - starts[run], body)
  }

  /// Returns the key of a row's object, or `nil` if the index is out of range.
  package func key(at index: Int) -> ObjectKey? { withKey(at: index) { ObjectKey($0) } }

  /// Returns the stamp of a row, or `nil` if the index is out of range.
  package func stamp(at index: Int) -> UInt64? {
    guard index >= 0, index < count else { return nil }
    let run = run(at: index)
    return runs[run].stamps[index - starts[run]]
  }

  /// Returns the first row of an object, or `nil` if the object has no row.
  func index(of key: ObjectKey) -> Int? {
    key.bytes.withUnsafeBytes { bytes in
      let hash = RowRun.hash(bytes)
      for (number, run) in runs.enumerated() {
        if let index = run.index(of: bytes, hash: hash) { return starts[number] + index }
      }
      return nil
    }
  }

  /// The keys of all rows.
  package var keys: [ObjectKey] {
    runs.flatMap { run in (0..<run.count).map { run.withKey(at: $0) { ObjectKey($0) } } }
  }

  /// Returns the number of the run that contains a row. The row must exist.
  func run(at index: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the index of the first row of a run.
  func start(ofRun number: Int) -> Int { starts[number] }

  /// Returns the rows of a range.
  func slice(_ range: Range<Int>) -> ObservedRows {
    let range = range.clamped(to: 0..<count)
    if range == 0..<count { return self }
    var builder = ObservedRowsBuilder()
    builder.append(self, range)
    return builder.finish()
  }
}
