/// The positions of the columns in the records of one layout version.
///
/// A record consists of a checksum (4 bytes), a head (2 bytes: the layout version and the width of the ends),
/// the bits, the slots of the columns of fixed width, the integers, the ends of all varying columns except
/// the last, and the bytes of the varying columns.
// SAFETY: the memory of `places` and `shape` is written only by `init` and lives as long as the layout.
package final class Layout: @unchecked Sendable {
  package static let checksumSize = RecordChecksum.size
  static let headerSize = 6
  /// The bits of the head that contain the layout version. The upper two bits contain the width of the ends.
  static let versionMask = TypeEntry.lastLayout
  static let endsWidthShift: UInt16 = 14

  /// The form in which a record stores a column.
  package enum Form: UInt8, Sendable {
    /// A slot at a fixed offset.
    case fixed
    /// One bit.
    case bit
    /// One, two, four or eight bytes, as the value requires. Two of the bits encode the width.
    case integer
    /// Bytes of variable length, after all other columns.
    case varying
  }

  /// The position of one column.
  ///
  /// It contains only small numbers, because it is copied for each field of each object that is read or
  /// written. A reference in it would be retained each time.
  package struct Place: Sendable {
    let columnID: UInt16
    package let form: Form
    /// The size of the payload in bytes; 0 for a varying column.
    let width: UInt8
    /// Whether the column now has another type, so that values have to be converted.
    let isConverted: Bool
    /// The index in `columns`.
    package let index: UInt16
    /// The index of the null bit; -1 for a column that is never nil.
    let nullBit: Int32
    /// The offset of a slot from the start of the record, the index of a bit, or the ordinal of the column
    /// among the integers or the varying columns.
    let position: Int32
  }

  let version: UInt16
  /// The columns, with the types that they have in records of this version.
  package let columns: [ColumnEntry]
  /// The conversions for columns that now have another type.
  let conversions: [ColumnConversion]
  /// The positions of the columns. This is not an array, because the runtime would instantiate the array's
  /// storage type when the first store is opened, which takes longer than all other work here.
  package let places: UnsafeBufferPointer<Place>
  /// The index of each column's place, by column id.
  private let placeByColumn: [Int]
  let integerCount: Int
  /// The offset of the integers, which is the size of the header, the bits and the slots.
  let integersOffset: Int
  let varyingCount: Int
  /// The numbers that views of records need, at a stable address.
  let shape: UnsafePointer<RecordView.Shape>

  /// The number of ends that a record contains. The end of the last varying column is the end of the record.
  var endsCount: Int { Swift.max(varyingCount - 1, 0) }

  /// - Parameter columns: the current columns, in the order of the layout.
  init(version: UInt16, columns current: [ColumnEntry]) {
    self.version = version
    var columns = current
    var conversions: [ColumnConversion] = []
    for index in columns.indices where !columns[index].earlier.isEmpty {
      guard let conversion = columns[index].conversion(from: version) else { continue }
      conversions.append(conversion)
      columns[index].type = columns[index].type(at: version)
    }
    self.columns = columns
    self.conversions = conversions
    var integers = 0
    var flags = 0
    var lastID = 0
    // Iterates over indexes, because an iterator returns optionals, whose type the runtime would have to
    // instantiate.
    for index in columns.indices {
      let column = columns[index]
      if column.type.isOptional, column.type.container == .none { flags += 1 }
      switch column.type.form {
      case .integer: integers += 1
      case .bit: flags += 1
      case .fixed, .varying: break
      }
      lastID = Swift.max(lastID, Int(column.id))
    }
    // The two bits for each integer come first, so that no pair is split across two bytes.
    var bits = integers * 2
    let bitCount = bits + flags
    var offset = Self.headerSize + (bitCount + 7) / 8
    var integer = 0
    var varying = 0
    let places = UnsafeMutableBufferPointer<Place>.allocate(capacity: columns.count)
    var placeByColumn = [Int](repeating: -1, count: lastID + 1)
    for index in columns.indices {
      let column = columns[index]
      var nullBit = -1
      if column.type.isOptional, column.type.container == .none {
        nullBit = bits
        bits += 1
      }
      let form = column.type.form
      let width = column.type.slotWidth ?? 0
      var position: Int
      switch form {
      case .fixed:
        position = offset
        offset += width
      case .bit:
        position = bits
        bits += 1
      case .integer:
        position = integer
        integer += 1
      case .varying:
        position = varying
        varying += 1
      }
      placeByColumn[Int(column.id)] = index
      places.initializeElement(
        at: index,
        to: Place(
          columnID: column.id,
          form: form,
          width: UInt8(truncatingIfNeeded: width),
          isConverted: !conversions.isEmpty && conversions.contains { $0.columnID == column.id },
          index: UInt16(truncatingIfNeeded: index),
          nullBit: Int32(truncatingIfNeeded: nullBit),
          position: Int32(truncatingIfNeeded: position)
        )
      )
    }
    self.places = UnsafeBufferPointer(places)
    self.placeByColumn = placeByColumn
    self.integerCount = integers
    self.integersOffset = offset
    self.varyingCount = varying
    let shape = UnsafeMutablePointer<RecordView.Shape>.allocate(capacity: 1)
    self.shape = UnsafePointer(shape)
    shape.initialize(to: RecordView.Shape(self))
  }

  deinit {
    places.deallocate()
    shape.deallocate()
  }

  package func place(ofColumn id: UInt16) -> Place? {
    guard Int(id) < placeByColumn.count, placeByColumn[Int(id)] >= 0 else { return nil }
    return places[placeByColumn[Int(id)]]
  }

  /// Returns the conversion for a column, or `nil` if the column is not converted.
  @inline(__always)
  func conversion(at place: Place) -> ColumnConversion? {
    place.isConverted ? conversion(ofColumn: place.columnID) : nil
  }

  @inline(never)
  private func conversion(ofColumn id: UInt16) -> ColumnConversion? {
    conversions.first { $0.columnID == id }
  }
}

extension ColumnType {
  /// The form in which a record stores the column.
  var form: Layout.Form { container == .none ? kind.facts.form : .varying }
}

extension TypeEntry {
  func layout(_ version: UInt16) -> Layout? {
    guard Int(version) < layouts.count else { return nil }
    return Layout(version: version, columns: layouts[Int(version)].compactMap(column))
  }
}
