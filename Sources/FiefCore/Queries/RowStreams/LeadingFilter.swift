import LMDB

/// Rejects records by the integer that is their first sort value, without building the whole sort key.
struct LeadingFilter {
  private let reader: IntegerReader
  private let least: Int64
  private let most: Int64
  private let takesNil: Bool

  /// - Parameters:
  ///   - reader: the reader of the integer.
  ///   - order: the order of the rows by this integer.
  ///   - prefix: the first bytes of the last sort key that is still wanted.
  init(_ reader: IntegerReader, _ order: QueryOrder, _ prefix: UInt64) {
    self.reader = reader
    takesNil = UInt64(OrderElement.nilMark(order)) << 56 <= prefix
    // The first bytes of a sort key do not decrease as the values increase in their order. A binary search
    // finds the last value whose first bytes are wanted.
    func isWanted(_ value: Int64) -> Bool {
      OrderElement.leastPrefix(KeyElementImage(value), ascending: order.ascending) <= prefix
    }
    func value(_ place: UInt64) -> Int64 {
      let ascending = Int64(bitPattern: place ^ (1 << 63))
      return order.ascending ? ascending : ~ascending
    }
    var (low, high): (UInt64, UInt64) = (0, .max)
    guard isWanted(value(low)) else {
      (least, most) = (.max, .min)
      return
    }
    while low < high {
      let middle = low + (high - low) / 2 + 1
      if isWanted(value(middle)) { low = middle } else { high = middle - 1 }
    }
    least = order.ascending ? .min : value(low)
    most = order.ascending ? value(low) : .max
  }

  /// Whether a record may come before the last wanted row.
  @inline(__always)
  func mayHave(_ record: UnsafeRawBufferPointer) -> Bool {
    switch reader.read(record) {
    case .integer(let value): value >= least && value <= most
    case .null: takesNil
    case .other: true
    }
  }
}
