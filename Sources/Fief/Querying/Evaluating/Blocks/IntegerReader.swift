/// Reads the integers of one column from records of one layout version, with what that takes worked out.
// SAFETY: `widths` is never freed. A record is read inside of its bytes only: what is before the integers is
// there by the first check of `read`, and each integer is checked by itself.
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
  /// The byte with the column's width, and where in it.
  private let codes: Int
  private let shift: UInt8
  private let earlier: UInt8
  private let earlierCount: Int
  /// The byte with the bit that is set for nil, and that bit; of a column that is never nil none.
  private let nullByte: Int
  private let nullMask: UInt8
  /// For four widths in one byte their sum.
  private let widths: UnsafePointer<UInt8>

  // SAFETY: written once, by the initialiser, and never freed.
  private nonisolated(unsafe) static let allWidths: UnsafePointer<UInt8> = {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for byte in 0..<256 {
      let sum = (0..<4).reduce(0) { $0 + 1 << ((byte >> ($1 * 2)) & 3) }
      (table + byte).initialize(to: UInt8(sum))
    }
    return UnsafePointer(table)
  }()

  /// - Returns: nil for a column that is not among the integers of the layout as they are now.
  init?(_ place: Layout.Place, _ layout: Layout) {
    guard place.form == .integer, !place.isConverted else { return nil }
    let ordinal = Int(place.position)
    version = layout.version
    leastCount = layout.integersOffset + layout.integerCount
    integersOffset = layout.integersOffset
    codes = Layout.headerSize + ordinal >> 2
    shift = UInt8((ordinal & 3) << 1)
    earlier = UInt8(truncatingIfNeeded: 1 << shift) &- 1
    earlierCount = ordinal & 3
    nullByte = place.nullBit < 0 ? Layout.headerSize : Layout.headerSize + Int(place.nullBit >> 3)
    nullMask = place.nullBit < 0 ? 0 : 1 << UInt8(place.nullBit & 7)
    widths = IntegerReader.allWidths
  }

  @inline(__always)
  func read(_ record: UnsafeRawBufferPointer) -> Value {
    guard record.count >= leastCount, let start = record.baseAddress else { return .other }
    let head = UInt16(littleEndian: start.loadUnaligned(fromByteOffset: Layout.checksumSize, as: UInt16.self))
    guard head & Layout.versionMask == version else { return .other }
    if start.load(fromByteOffset: nullByte, as: UInt8.self) & nullMask != 0 { return .null }
    var offset = integersOffset
    for byte in Layout.headerSize..<codes {
      offset &+= Int(widths[Int(start.load(fromByteOffset: byte, as: UInt8.self))])
    }
    let code = start.load(fromByteOffset: codes, as: UInt8.self)
    // What is not before the column counts as one byte each there.
    offset &+= Int(widths[Int(code & earlier)]) &- (4 &- earlierCount)
    let width = 1 &<< Int((code &>> shift) & 3)
    if offset &+ 8 <= record.count {
      let word = Int64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: Int64.self))
      let unused = Int64(64 &- 8 &* width)
      return .integer((word &<< unused) &>> unused)
    }
    return readLast(record, offset, width)
  }

  /// Reads an integer near the end of a record.
  @inline(never)
  private func readLast(_ record: UnsafeRawBufferPointer, _ offset: Int, _ width: Int) -> Value {
    guard offset + width <= record.count else { return .other }
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(record[offset + index]) << UInt64(8 * index) }
    let unused = Int64(64 - 8 * width)
    return .integer((Int64(bitPattern: word) << unused) >> unused)
  }
}
