import LMDB

/// The location of a column in the rows of a table: in the key, or for each layout in the record.
///
/// The locations are determined once, so that reading a row only selects the location for its layout.
// SAFETY: `slots` has one slot for each layout of the table, so every row's `layout` is a valid index. Only
// `init` writes it. A slot's default belongs to `defaults`.
final class RowColumn {
  private enum Access: UInt8 { case direct, converted, absent }

  private struct Slot {
    var place: Layout.Place
    var access: Access
    /// The value of a row that lacks the column, or the replacement for a nil that a conversion does not
    /// keep.
    var fallback: UnsafeRawBufferPointer?
  }

  let table: Table
  let column: ColumnEntry
  let kind: ColumnType.Kind
  /// The id of the type to which a link refers.
  let target: UInt32
  /// The index of the column among the key's parts, or -1 for a column of the record.
  let keyPart: Int
  private let isCollection: Bool
  /// Reads the column from records of the newest layout; `nil` if that layout does not store the column as an
  /// integer.
  let integers: IntegerReader?
  private let slots: UnsafeMutablePointer<Slot>
  private let count: Int
  private var defaults: [StableBytes] = []
  /// The unescaped content of a text in a key, or the payload of a secret key part.
  @exclusivity(unchecked) private var unescaped: StableBytes?

  init(_ column: ColumnEntry, of table: Table, target: Table?) {
    self.table = table
    self.column = column
    self.target = target?.entry.id ?? 0
    kind = column.type.kind
    isCollection = column.type.container != .none
    keyPart = table.primaryKey.firstIndex { $0.id == column.id } ?? -1
    count = table.layouts.count
    integers =
      keyPart < 0 && !isCollection
      ? table.layouts.last.flatMap { layout in
        layout.place(ofColumn: column.id).flatMap { IntegerReader($0, layout) }
      } : nil
    slots = .allocate(capacity: count)
    let none = Layout.Place(
      columnID: column.id,
      form: .varying,
      width: 0,
      isConverted: false,
      index: 0,
      nullBit: -1,
      position: 0
    )
    for (index, layout) in table.layouts.enumerated() {
      var slot = Slot(place: none, access: .absent, fallback: nil)
      if let place = layout.place(ofColumn: column.id) {
        slot.place = place
        slot.access = layout.conversion(at: place) == nil ? .direct : .converted
        slot.fallback = keep(layout.conversion(at: place)?.nilPayload)
      } else {
        slot.fallback = keep(column.defaultPayload)
      }
      (slots + index).initialize(to: slot)
    }
  }

  deinit { slots.deallocate() }

  /// Whether the column may be nil although its type is not optional, because rows may be older than the
  /// column.
  var mayBeMissing: Bool {
    keyPart < 0 && (0..<count).contains { slots[$0].access == .absent && slots[$0].fallback == nil }
  }

  /// Whether another instance is the same column of the same table.
  func isSame(as other: RowColumn) -> Bool { table === other.table && column.id == other.column.id }

  private func keep(_ payload: [UInt8]?) -> UnsafeRawBufferPointer? {
    guard let payload else { return nil }
    let kept = StableBytes(payload)
    defaults.append(kept)
    return kept.bytes
  }

  // MARK: Values

  /// Returns the column's value in a row.
  @inline(__always)
  func value(of row: QueryRow) throws -> RowValue {
    if keyPart >= 0 { return try keyValue(row) }
    let slot = slots + row.layout
    guard slot.pointee.access == .direct else { return try laterValue(row) }
    let place = slot.pointee.place
    if row.view.isNil(place) { return .null }
    switch place.form {
    case .integer: return .integer(Int128(row.view.integer(place)))
    case .bit: return .bool(row.view.bit(place.position))
    case .fixed: return try RowValue(row.view.slot(place), kind)
    case .varying:
      let payload = try row.view.varying(place)
      return isCollection ? .collection(payload) : try RowValue(payload, kind, target: target)
    }
  }

  @inline(never)
  private func laterValue(_ row: QueryRow) throws -> RowValue {
    let slot = slots[row.layout]
    if slot.access == .converted, !row.view.isNil(slot.place),
      let conversion = row.view.layout.conversion(at: slot.place)
    {
      return try row.view.withPayload(slot.place) { payload in
        guard let payload else { return .null }
        // If the kind is unchanged, text and data have the same bytes, which are in the record. Values of
        // other kinds are converted to numbers, which need no storage.
        if conversion.from == conversion.to { return try value(payload) }
        return try conversion.apply(payload) { try $0.map { try value($0) } ?? .null }
      }
    }
    return try slot.fallback.map { try value($0) } ?? .null
  }

  private func value(_ payload: UnsafeRawBufferPointer) throws -> RowValue {
    // A Boolean or an integer is copied, so the value contains no address.
    isCollection ? .collection(payload) : try RowValue(payload, kind, target: target)
  }

  /// Decrypts a secret part of the key and returns its value.
  private func secretValue(_ row: QueryRow) throws -> RowValue {
    var decoder = KeyDecoder(row.key)
    var writer = ValueWriter()
    do {
      for _ in 0..<keyPart { try decoder.skip() }
      guard try table.appendKeyPayload(from: &decoder, of: column, to: &writer) else { return .null }
    } catch let error as KeyError {
      throw FiefError(.damagedRecord, "A key is damaged.", type: table.name, underlying: error)
    }
    let kept = StableBytes(writer.bytes)
    unescaped = kept
    return try RowValue(kept.bytes, kind, target: target)
  }

  @inline(never)
  private func keyValue(_ row: QueryRow) throws -> RowValue {
    if column.isSecret { return try secretValue(row) }
    var decoder = KeyDecoder(row.key)
    do {
      for _ in 0..<keyPart { try decoder.skip() }
      let element = decoder.remaining
      if kind.isInteger, element.first != 0 { return .integer(Int128(try decoder.nextInteger())) }
      try decoder.skip()
      let count = element.count - decoder.remaining.count
      guard count > 1 else { return .null }
      let content = UnsafeRawBufferPointer(rebasing: element[1..<count])
      switch kind {
      case .uuid where count == 17: return .uuid(content)
      case .objectId where count == 13: return .objectId(content)
      case .string: return .text(text(content))
      default: throw FiefError(.damagedRecord, "A key does not fit the primary key's type.")
      }
    } catch let error as KeyError {
      throw FiefError(.damagedRecord, "A key is damaged.", type: table.name, underlying: error)
    }
  }

  /// Returns the text in a key element, whose content ends with a zero byte.
  private func text(_ content: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let text = UnsafeRawBufferPointer(rebasing: content[..<(content.count - 1)])
    guard text.contains(1) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var isEscaped = false
    for byte in text {
      if !isEscaped, byte == 1 {
        isEscaped = true
      } else {
        bytes.append(isEscaped ? byte &- 1 : byte)
        isEscaped = false
      }
    }
    let kept = StableBytes(bytes)
    unescaped = kept
    return kept.bytes
  }

  // MARK: Values of one kind

  /// Returns the value of an integer column, or `nil` for nil.
  @inline(__always)
  func integer(of row: QueryRow) throws -> Int64? {
    if keyPart < 0 {
      let slot = slots + row.layout
      if slot.pointee.access == .direct {
        let place = slot.pointee.place
        if row.view.isNil(place) { return nil }
        if place.form == .integer { return row.view.integer(place) }
        if place.width == 1 { return Int64(row.view.slot(place).load(as: Int8.self)) }
      }
    } else if keyPart == 0 {
      var decoder = KeyDecoder(row.key)
      if let value = decoder.nextPositiveInteger() { return value }
    }
    guard case .integer(let value) = try laterNumber(row) else { return nil }
    return Int64(truncatingIfNeeded: value)
  }

  /// Returns the value of a column of doubles, floats or dates, or `nil` for nil.
  @inline(__always)
  func double(of row: QueryRow) throws -> Double? {
    let slot = slots + row.layout
    if keyPart < 0, slot.pointee.access == .direct {
      let place = slot.pointee.place
      if row.view.isNil(place) { return nil }
      if place.width == 8 { return row.view.slot(place).leadingDouble }
      if place.width == 4 { return Double(row.view.slot(place).leadingFloat) }
    }
    switch try laterNumber(row) {
    case .double(let value), .date(let value): return value
    default: return nil
    }
  }

  @inline(never)
  private func laterNumber(_ row: QueryRow) throws -> RowValue { try value(of: row) }

  /// Returns the payload of a column of varying length, in the bytes of the record; `nil` for nil.
  @inline(__always)
  func bytes(of row: QueryRow) throws -> UnsafeRawBufferPointer? {
    let slot = slots + row.layout
    if keyPart < 0, slot.pointee.access == .direct {
      let place = slot.pointee.place
      if row.view.isNil(place) { return nil }
      return try row.view.varying(place)
    }
    return try laterBytes(row)
  }

  @inline(never)
  private func laterBytes(_ row: QueryRow) throws -> UnsafeRawBufferPointer? {
    if keyPart >= 0 {
      guard case .text(let text) = try keyValue(row) else { return nil }
      return text
    }
    let slot = slots[row.layout]
    guard slot.access == .converted, !row.view.isNil(slot.place) else { return slot.fallback }
    return try row.view.varying(slot.place)
  }

  /// Whether the column is nil in a row.
  @inline(__always)
  func isNil(_ row: QueryRow) throws -> Bool {
    let slot = slots + row.layout
    if keyPart < 0, slot.pointee.access == .direct, kind != .any { return row.view.isNil(slot.pointee.place) }
    return try value(of: row).isNull
  }
}
