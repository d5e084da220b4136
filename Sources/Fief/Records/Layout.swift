/// Where each column is in the records of one layout version.
///
/// A record: checksum (4 bytes), layout version (2), flags (1), the null bits, the slots of the columns
/// of fixed width, the ends of the varying columns (2 bytes each, 4 in a wide record), their bytes.
final class Layout: Sendable {
  static let headerSize = 7
  static let checksumSize = 4
  static let flagsOffset = 6
  static let wideFlag: UInt8 = 1

  /// Where one column is.
  ///
  /// Numbers only: a place is copied for each field of each object that is read or written, and a
  /// reference in it would be counted each time.
  struct Place: Sendable {
    /// The index in `columns`.
    let index: Int
    let columnID: UInt16
    /// The bit among the null bits, -1 for a column that is never nil.
    let nullBit: Int
    /// The slot's offset from the record's start, -1 for a varying column.
    let slot: Int
    let width: Int
    /// The place among the varying columns, -1 for a fixed one.
    let varying: Int
  }

  let version: UInt16
  let columns: [ColumnEntry]
  let places: [Place]
  /// Where the ends of the varying columns begin.
  let endsOffset: Int
  let varyingCount: Int
  /// What a record begins with before anything is filled in: the version, and zeros.
  let blankHead: [UInt8]

  init(version: UInt16, columns: [ColumnEntry]) {
    self.version = version
    self.columns = columns
    let optionalCount = columns.count { $0.type.isOptional && $0.type.container == .none }
    var offset = Self.headerSize + (optionalCount + 7) / 8
    var nullBit = 0
    var varying = 0
    var places: [Place] = []
    for (index, column) in columns.enumerated() {
      var bit = -1
      if column.type.isOptional, column.type.container == .none {
        bit = nullBit
        nullBit += 1
      }
      if let width = column.type.slotWidth {
        places.append(
          Place(index: index, columnID: column.id, nullBit: bit, slot: offset, width: width, varying: -1)
        )
        offset += width
      } else {
        places.append(
          Place(index: index, columnID: column.id, nullBit: bit, slot: -1, width: 0, varying: varying)
        )
        varying += 1
      }
    }
    self.places = places
    self.endsOffset = offset
    self.varyingCount = varying
    var head = [UInt8](repeating: 0, count: offset + varying * 2)
    withUnsafeBytes(of: version.littleEndian) {
      head.replaceSubrange(Self.checksumSize..<(Self.checksumSize + 2), with: $0)
    }
    self.blankHead = head
  }

  func place(ofColumn id: UInt16) -> Place? {
    places.first { $0.columnID == id }
  }

  /// The size of everything before the bytes of the varying columns.
  func headSize(isWide: Bool) -> Int { endsOffset + varyingCount * (isWide ? 4 : 2) }
}

extension TypeEntry {
  func layout(_ version: UInt16) -> Layout? {
    guard Int(version) < layouts.count else { return nil }
    return Layout(version: version, columns: layouts[Int(version)].compactMap(column))
  }
}
