import FiefCore
import LMDB

/// The rows of a query in one state: the keys of their objects in order, each with a stamp.
///
/// The rows are in runs that copies share, so that a change in the middle costs a few of them.
package struct ObservedRows: Sendable {
  package static let none = ObservedRows(runs: [])

  let runs: [RowRun]
  /// The index of the first row of each run, and the count.
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

  /// Calls `body` with the key of the object of a row; the bytes are valid until it returns.
  ///
  /// - Returns: nil beyond the end.
  package func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows
    -> Value?
  {
    guard index >= 0, index < count else { return nil }
    let run = run(at: index)
    return try runs[run].withKey(at: index - starts[run], body)
  }

  /// The key of the object of a row; nil beyond the end.
  package func key(at index: Int) -> ObjectKey? { withKey(at: index) { ObjectKey($0) } }

  /// The stamp of a row; nil beyond the end.
  package func stamp(at index: Int) -> UInt64? {
    guard index >= 0, index < count else { return nil }
    let run = run(at: index)
    return runs[run].stamps[index - starts[run]]
  }

  /// The first row of an object, nil where it has none.
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

  /// The number of the run of a row, which is there.
  func run(at index: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// The index of the first row of a run.
  func start(ofRun number: Int) -> Int { starts[number] }

  /// Some of the rows.
  func slice(_ range: Range<Int>) -> ObservedRows {
    let range = range.clamped(to: 0..<count)
    if range == 0..<count { return self }
    var builder = ObservedRowsBuilder()
    builder.append(self, range)
    return builder.finish()
  }
}
