/// A mutable buffer of rows, for building runs and comparing rows.
struct RowBuffer {
  private(set) var hashes: [UInt32] = []
  private(set) var stamps: [UInt64] = []
  private(set) var ends: [Int] = []
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Creates a buffer with the rows of some runs.
  init(_ runs: ArraySlice<RowRun>) {
    let count = runs.reduce(0) { $0 + $1.count }
    hashes.reserveCapacity(count)
    stamps.reserveCapacity(count)
    ends.reserveCapacity(count)
    bytes.reserveCapacity(runs.reduce(0) { $0 + $1.size })
    for run in runs { run.append(0..<run.count, to: &self) }
  }

  var count: Int { hashes.count }
  var isEmpty: Bool { hashes.isEmpty }

  mutating func append(_ key: UnsafeRawBufferPointer, stamp: UInt64) {
    append(key, hash: RowRun.hash(key), stamp: stamp)
  }

  mutating func append(_ key: UnsafeRawBufferPointer, hash: UInt32, stamp: UInt64) {
    hashes.append(hash)
    stamps.append(stamp)
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
  }

  /// - Parameter start: the offset at which the keys begin, in the units of `ends`.
  mutating func append(
    hashes: ArraySlice<UInt32>,
    stamps: ArraySlice<UInt64>,
    ends: ArraySlice<UInt32>,
    from start: Int,
    bytes: ArraySlice<UInt8>
  ) {
    self.hashes += hashes
    self.stamps += stamps
    let distance = self.bytes.count - start
    for end in ends { self.ends.append(Int(end) + distance) }
    self.bytes += bytes
  }

  mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    stamps.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let start = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Returns an immutable run with the rows of a range.
  func run(_ range: Range<Int>) -> RowRun {
    let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
    let end = range.isEmpty ? start : ends[range.upperBound - 1]
    return RowRun(
      hashes: Array(hashes[range]),
      stamps: Array(stamps[range]),
      ends: ends[range].map { UInt32(truncatingIfNeeded: $0 - start) },
      bytes: Array(bytes[start..<end])
    )
  }
}
