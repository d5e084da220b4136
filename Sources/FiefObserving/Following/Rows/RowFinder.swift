import FiefCore

/// Finds the rows of a set of objects.
struct RowFinder {
  private let keys: [UInt32: [ObjectKey]]
  /// A bit set of the lowest bits of the hashes. One check rules out most rows.
  private var marks: [UInt64]

  init(_ keys: some Sequence<ObjectKey>) {
    var byHash: [UInt32: [ObjectKey]] = [:]
    for key in keys { byHash[key.bytes.withUnsafeBytes(RowRun.hash), default: []].append(key) }
    self.keys = byHash
    var words = 64
    while words * 4 < byHash.count { words *= 2 }
    marks = Array(repeating: 0, count: words)
    for hash in byHash.keys { marks[Int(hash >> 6) & (words - 1)] |= 1 << UInt64(hash & 63) }
  }

  /// Returns the indexes of the rows in ascending order.
  func indexes(in rows: ObservedRows) -> [Int] {
    var indexes: [Int] = []
    if keys.isEmpty { return indexes }
    for (number, run) in rows.runs.enumerated() {
      let start = rows.start(ofRun: number)
      forEachIndex(in: run) { indexes.append(start + $0) }
    }
    return indexes
  }

  /// Calls `body` with the index of each found row within a run.
  func forEachIndex(in run: RowRun, _ body: (Int) throws -> Void) rethrows {
    let mask = marks.count - 1
    for index in 0..<run.count {
      let hash = run.hashes[index]
      if marks[Int(hash >> 6) & mask] & (1 << UInt64(hash & 63)) == 0 { continue }
      guard let candidates = keys[hash] else { continue }
      let isFound = run.withKey(at: index) { key in candidates.contains { $0.bytes.elementsEqual(key) } }
      if isFound { try body(index) }
    }
  }
}
