/// Reads the integers of one column from records of one layout version, with the offsets computed once.
// SAFETY: the tables are never freed. A record is read inside of its bytes only: the bytes before the
// integers are checked first by `read`, and each integer is checked by itself.
struct IntegerReader: @unchecked Sendable {
  enum Value {
    case integer(Int64)
    case null
    /// The record is of another version, or damaged.
    case other
  }

  private let version: UInt16
  private let leastCount: Int
  private let integersOffset: Int
  /// The byte with the column's width.
  private let codes: Int
  /// The byte with the bit that is set for nil, and that bit; of a column that is never nil none.
  private let nullByte: Int
  private let nullMask: UInt8
  /// The decoded meanings of the byte with the width of the column.
  private let entries: UnsafePointer<IntegerWidths.Entry>
  private let sums: UnsafePointer<UInt8>

  /// - Returns: nil for a column that is not among the integers of the layout as they are now.
  init?(_ place: Layout.Place, _ layout: Layout) {
    guard place.form == .integer, !place.isConverted else { return nil }
    let ordinal = Int(place.position)
    version = layout.version
    leastCount = layout.integersOffset + layout.integerCount
    integersOffset = layout.integersOffset
    codes = Layout.headerSize + ordinal >> 2
    nullByte = place.nullBit < 0 ? Layout.headerSize : Layout.headerSize + Int(place.nullBit >> 3)
    nullMask = place.nullBit < 0 ? 0 : 1 << UInt8(place.nullBit & 7)
    entries = IntegerWidths.entries + (ordinal & 3) << 8
    sums = IntegerWidths.sums
  }

  @inline(__always)
  func read(_ record: UnsafeRawBufferPointer) -> Value {
    guard record.count >= leastCount, let start = record.baseAddress else { return .other }
    let head = UInt16(littleEndian: start.loadUnaligned(fromByteOffset: Layout.checksumSize, as: UInt16.self))
    guard head & Layout.versionMask == version else { return .other }
    if start.load(fromByteOffset: nullByte, as: UInt8.self) & nullMask != 0 { return .null }
    var offset = integersOffset
    if _slowPath(codes > Layout.headerSize) {
      for byte in Layout.headerSize..<codes {
        offset &+= Int(sums[Int(start.load(fromByteOffset: byte, as: UInt8.self))])
      }
    }
    let entry = entries[Int(start.load(fromByteOffset: codes, as: UInt8.self))]
    offset &+= Int(entry.before)
    let unused = Int64(entry.unused)
    if _fastPath(offset &+ 8 <= record.count) {
      let word = Int64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: Int64.self))
      return .integer((word &<< unused) &>> unused)
    }
    return readLast(record, offset, unused)
  }

  /// Whether a record's integer is one of a range, nil where it cannot be read here.
  @inline(__always)
  func compare(_ record: UnsafeRawBufferPointer, _ range: IntegerRange) -> Bool? {
    switch read(record) {
    case .integer(let value): range.holds(value)
    case .null: !range.isInside
    case .other: nil
    }
  }

  /// Reads an integer near the end of a record.
  @inline(never)
  private func readLast(_ record: UnsafeRawBufferPointer, _ offset: Int, _ unused: Int64) -> Value {
    let width = Int(64 &- unused) &>> 3
    guard offset + width <= record.count else { return .other }
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(record[offset + index]) << UInt64(8 * index) }
    return .integer((Int64(bitPattern: word) << unused) >> unused)
  }
}
