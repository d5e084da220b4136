import LMDB

/// The places in the order of a query between which its rows are, as bytes.
struct RowBounds {
  private struct Bound {
    let beginning: [UInt8]
    let key: [UInt8]?
    let isInclusive: Bool

    init(_ bound: QueryBound, _ order: RowOrder) throws {
      var writer = ValueWriter()
      try order.append(bound.values, to: &writer)
      beginning = writer.bytes
      key = bound.key?.bytes
      isInclusive = bound.isInclusive
    }

    /// Negative where a row comes before the bound, 0 where it is at it.
    func compare(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ order: RowOrder) -> Int {
      let result = beginning.withUnsafeBytes { order.compare(sortKey, toBeginning: $0) }
      guard result == 0, let own = self.key else { return result }
      return own.withUnsafeBytes { ByteRange.compare(key, $0) }
    }
  }

  private let order: RowOrder
  private let start: Bound?
  private let end: Bound?

  /// nil where there are none.
  init?(_ start: QueryBound?, _ end: QueryBound?, _ order: RowOrder) throws {
    if start == nil, end == nil { return nil }
    self.order = order
    self.start = try start.map { try Bound($0, order) }
    self.end = try end.map { try Bound($0, order) }
  }

  /// Whether a row with this sort key is between them.
  func contain(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    if let start {
      let result = start.compare(sortKey, key, order)
      if result < 0 || (result == 0 && !start.isInclusive) { return false }
    }
    return !isBehind(sortKey, key)
  }

  /// Whether a row, and so each that follows it, is behind the end.
  func isBehind(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    guard let end else { return false }
    let result = end.compare(sortKey, key, order)
    return result > 0 || (result == 0 && !end.isInclusive)
  }
}
