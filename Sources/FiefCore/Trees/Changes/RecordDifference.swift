import LMDB

/// Computes the columns in which two records of one object differ.
///
/// Records of different layouts are compared by their values, including the values of embedded objects. Large
/// collections are not read: a column counts as equal if either record contains a marker for it.
package struct RecordDifference {
  let table: Table
  let tables: StoreTables

  package init(_ table: Table, _ tables: StoreTables) {
    self.table = table
    self.tables = tables
  }

  package func columns(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) throws -> ColumnSet {
    let (before, after) = (try table.view(old), try table.view(new))
    // The checksum of a stored record covers the key too.
    let bodies = (old[Layout.checksumSize...], new[Layout.checksumSize...])
    if UnsafeRawBufferPointer(rebasing: bodies.0).hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bodies.1))
    {
      return ColumnSet()
    }
    return before.layout === after.layout
      ? try columns(before, after, before.layout) : try columnsOfLayouts(before, after)
  }

  private func columns(_ old: RecordView, _ new: RecordView, _ layout: Layout) throws -> ColumnSet {
    var word: UInt64 = 0
    var others = ColumnSet()
    var (before, after) = (RecordView.IntegerCursor(old), RecordView.IntegerCursor(new))
    let places = layout.places
    for index in places.indices {
      let place = places[index]
      // Both cursors must advance, even if a value is nil.
      let integers = place.form == .integer ? (before.next(in: old), after.next(in: new)) : (0, 0)
      let wasNil = old.isNil(place)
      if wasNil, new.isNil(place) { continue }
      if wasNil == new.isNil(place), try isSame(place, layout, old, new, integers) { continue }
      if place.columnID < 64 {
        word |= 1 &<< UInt64(place.columnID)
      } else {
        others.insert(place.columnID)
      }
    }
    if others.isEmpty { return ColumnSet(word: word) }
    others.formUnion(ColumnSet(word: word))
    return others
  }

  /// Whether a column has the same value in both records. The value must not be nil in either of them.
  private func isSame(
    _ place: Layout.Place,
    _ layout: Layout,
    _ old: RecordView,
    _ new: RecordView,
    _ integers: (Int64, Int64)
  ) throws -> Bool {
    switch place.form {
    case .integer: return integers.0 == integers.1
    case .bit: return old.bit(place.position) == new.bit(place.position)
    case .fixed: return old.slot(place).hasSameBytes(as: new.slot(place))
    case .varying:
      let (first, second) = (try old.varying(place), try new.varying(place))
      if first.hasSameBytes(as: second) { return true }
      return try hasSameValue(first, second, place.columnID, layout.columns[Int(place.index)].type)
    }
  }

  /// Returns the columns whose values differ in records of different layouts, after defaults and conversions.
  private func columnsOfLayouts(_ old: RecordView, _ new: RecordView) throws -> ColumnSet {
    var columns = ColumnSet()
    for column in table.currentLayout.columns where !column.isDropped {
      var isSame = false
      try table.payload(of: column, in: old) { first in
        try table.payload(of: column, in: new) { second in
          isSame = try hasSameValue(first, second, column)
        }
      }
      if !isSame { columns.insert(column.id) }
    }
    return columns
  }

  private func hasSameValue(
    _ first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?,
    _ column: ColumnEntry
  ) throws -> Bool {
    guard let first, let second else {
      if first == nil, second == nil { return true }
      // A collection is never nil: a column that a record does not have is an empty collection.
      guard column.type.container != .none, let payload = first ?? second else { return false }
      return Self.isEmpty(payload) || CollectionMarker.isMarker(payload)
    }
    return try first.hasSameBytes(as: second) || hasSameValue(first, second, column.id, column.type)
  }

  /// Whether payloads with different bytes represent the same value.
  private func hasSameValue(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    _ column: UInt16,
    _ type: ColumnType
  ) throws -> Bool {
    if type.container != .none {
      if CollectionMarker.isMarker(first) || CollectionMarker.isMarker(second) { return true }
      if Self.isEmpty(first), Self.isEmpty(second) { return true }
    }
    guard type.kind == .embedded, let target = type.target.flatMap({ tables[$0] }) else { return false }
    let inner = RecordDifference(target, tables)
    if type.container == .none { return try inner.columns(first, second).isEmpty }
    let (before, after) = (try Self.elements(first, type), try Self.elements(second, type))
    guard before.count == after.count else { return false }
    return try zip(before, after).allSatisfy { one, other in
      guard one.key == other.key, let first = one.element, let second = other.element else {
        return one.key == other.key && one.element == nil && other.element == nil
      }
      return try first.withUnsafeBytes { first in
        try second.withUnsafeBytes { try inner.columns(first, $0).isEmpty }
      }
    }
  }

  private static func isEmpty(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.isEmpty || payload.count == 1 && payload[0] == 0
  }

  private static func elements(_ payload: UnsafeRawBufferPointer, _ type: ColumnType) throws
    -> [(key: [UInt8]?, element: [UInt8]?)]
  {
    var elements: [(key: [UInt8]?, element: [UInt8]?)] = []
    try CollectionPayload.forEach(payload, type: type) { key, element in
      elements.append((key.map { [UInt8]($0) }, element.map { [UInt8]($0) }))
    }
    return elements
  }
}
