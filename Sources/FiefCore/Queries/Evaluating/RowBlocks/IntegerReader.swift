/// Reads the integers of one column from records of one layout version, with precomputed offsets.
// SAFETY: the tables are never freed. Reads stay inside a record's bytes: `read` first checks the bytes
// before the integers, and then each integer.
struct IntegerReader: @unchecked Sendable {
  enum Value {
    case integer(Int64)
    case null
    /// The record has another version or is damaged.
    case other
  }

  private let version: UInt16
  private let leastCount: Int
  private let integersOffset: Int
  /// The offset of the byte with the column's width code.
  private let codes: Int
  /// The offset of the byte with the column's nil bit, and the mask of this bit. The mask is 0 if the column
  /// is never nil.
  private let nullByte: Int
  private let nullMask: UInt8
  /// The decoded meanings of the byte with the column's width code.
  private let entries: UnsafePointer<IntegerWidths.Entry>
  private let sums: UnsafePointer<UInt8>

  /// - Returns: `nil` if the layout does not store the column as an integer of its current type.
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

  /// Whether a record's integer is in a range, or `nil` if the reader does not support the record.
  @inline(__always)
  func compare(_ record: UnsafeRawBufferPointer, _ range: IntegerRange) -> Bool? {
    switch read(record) {
    case .integer(let value): range.holds(value)
    case .null: !range.isInside
    case .other: nil
    }
  }

  /// Reads an integer that is near the end of a record.
  @inline(never)
  private func readLast(_ record: UnsafeRawBufferPointer, _ offset: Int, _ unused: Int64) -> Value {
    let width = Int(64 &- unused) &>> 3
    guard offset + width <= record.count else { return .other }
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(record[offset + index]) << UInt64(8 * index) }
    return .integer((Int64(bitPattern: word) << unused) >> unused)
  }
}
