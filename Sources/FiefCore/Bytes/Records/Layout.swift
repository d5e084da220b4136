/// The places of the columns in records of one layout version.
///
/// A record: checksum (4 bytes), head (2 bytes: the layout version and how wide the ends are), the bits,
/// the slots of the columns of fixed width, the integers, the ends of the varying columns but the last,
/// their bytes.
// SAFETY: what `places` and `shape` point to is written by `init` only, and lives as long as the layout.
package final class Layout: @unchecked Sendable {
  package static let checksumSize = RecordChecksum.size
  static let headerSize = 6
  /// The bits of the head that are the layout version; the upper two are the width of the ends.
  static let versionMask = TypeEntry.lastLayout
  static let endsWidthShift: UInt16 = 14

  /// The form in which a column is kept.
  package enum Form: UInt8, Sendable {
    /// A slot at a known offset.
    case fixed
    /// One bit.
    case bit
    /// One, two, four or eight bytes, as its value needs; two of the bits say which.
    case integer
    /// Bytes behind everything else.
    case varying
  }

  /// The place of one column.
  ///
  /// Numbers only, and small: a place is copied for each field of each object that is read or written,
  /// and a reference in it would be counted each time.
  package struct Place: Sendable {
    let columnID: UInt16
    package let form: Form
    /// The bytes of the payload, 0 for a varying one.
    let width: UInt8
    /// Whether the column has another type now, so that its values have to be converted.
    let isConverted: Bool
    /// The index in `columns`.
    package let index: UInt16
    /// The bit among the bits, -1 for a column that is never nil.
    let nullBit: Int32
    /// A slot's offset from the record's start, a bit among the bits, or the number among the integers or
    /// among the varying columns.
    let position: Int32
  }

  let version: UInt16
  /// The columns, with the types that they have in records of this version.
  package let columns: [ColumnEntry]
  /// The conversions of payloads of columns that have another type now.
  let conversions: [ColumnConversion]
  /// This is no array: the runtime would make its storage for this type of element when the first store is
  /// opened, which takes longer than all that is done here.
  package let places: UnsafeBufferPointer<Place>
  /// The place of each column, by the column's id.
  private let placeByColumn: [Int]
  let integerCount: Int
  /// The offset of the integers: the size of header, bits and slots.
  let integersOffset: Int
  let varyingCount: Int
  /// The numbers of the layout that views of records need, at one address for its life.
  let shape: UnsafePointer<RecordView.Shape>

  /// The ends that are written; that of the last varying column is the end of the record.
  var endsCount: Int { Swift.max(varyingCount - 1, 0) }

  /// - Parameter columns: the columns as they are now, in the order of the layout.
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
    // The loop uses indexes: an iterator gives each as an optional, a type that the runtime would have to make.
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
    // Two bits for each integer come first, so that none of the pairs is in two bytes.
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

  /// The conversion of payloads of a place; nil for one that is not `isConverted`.
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
  /// The form in which the column is kept in a record.
  var form: Layout.Form {
    guard container == .none else { return .varying }
    switch kind {
    case .bool: return .bit
    case .int16, .int32, .int64: return .integer
    case .int8, .float, .double, .date, .uuid, .objectId: return .fixed
    case .string, .data, .decimal, .any, .link, .embedded, .linkingObjects: return .varying
    }
  }
}

extension TypeEntry {
  func layout(_ version: UInt16) -> Layout? {
    guard Int(version) < layouts.count else { return nil }
    return Layout(version: version, columns: layouts[Int(version)].compactMap(column))
  }
}
