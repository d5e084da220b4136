import LMDB

/// A derived property of a table.
package final class DerivedColumn: Sendable {
  package let kind: DerivedEntry.Kind
  /// The column that stores the value.
  package let column: ColumnEntry
  /// The text or relationship of the same object from which the value is computed; `nil` for the time of the
  /// last change.
  let source: ColumnEntry?
  /// The column of the objects at the other end of the relationship.
  let value: DerivedSource?
  /// The property's index among the properties of the table that are computed from other objects, or -1 for
  /// all other properties.
  package let slot: Int

  init(
    _ entry: DerivedEntry,
    column: ColumnEntry,
    source: ColumnEntry?,
    value: DerivedSource? = nil,
    slot: Int = -1
  ) {
    kind = entry.kind
    self.column = column
    self.source = source
    self.value = value
    self.slot = slot
  }

  /// Whether a change can be added to the stored value without loss.
  var isAdditive: Bool { kind == .count || kind == .sum && value?.kind.countableRange != nil && isInteger }

  private var isInteger: Bool { column.type.kind.countableRange != nil }

  /// The value of an object without members.
  var valueOfNothing: DerivedValue {
    switch kind {
    case .count: .integer(0)
    case .sum: DerivedTotal().value(column.type.kind)
    case .minimum, .maximum, .lowercased, .lastChange: .none
    }
  }

  /// Returns the value after a change of its sources, or `nil` if it must be recomputed from all members.
  func value(after change: DerivedChange, of stored: DerivedValue) -> DerivedValue? {
    if change.isToBeMadeAnew { return nil }
    if isAdditive {
      // At either end of its range, the stored value may have been clamped.
      guard case .integer(let before) = stored, let range = column.type.kind.countableRange,
        before > range.lowerBound, before < range.upperBound
      else { return nil }
      return .integer(DerivedTotal.clamped(Int128(before) + change.sum, column.type.kind))
    }
    guard kind == .minimum || kind == .maximum else { return nil }
    let best = better(stored, change.added)
    // The removed value may have been the minimum or maximum.
    if change.removed == .none || isBetter(best, than: change.removed) { return best }
    return nil
  }

  /// Whether a value comes before another value as the minimum or maximum of the property.
  func isBetter(_ value: DerivedValue, than other: DerivedValue) -> Bool {
    if value == .none { return false }
    if other == .none { return true }
    return kind == .minimum ? value.precedes(other) : other.precedes(value)
  }

  func better(_ first: DerivedValue, _ second: DerivedValue) -> DerivedValue {
    isBetter(second, than: first) ? second : first
  }
}

/// A change of the values from which a derived property is computed.
struct DerivedChange {
  /// The change of a count or of a sum of integers.
  var sum: Int128 = 0
  /// The minimum or maximum of the added values, or `none`.
  var added = DerivedValue.none
  /// The minimum or maximum of the removed values, or `none`.
  var removed = DerivedValue.none
  var isToBeMadeAnew = false

  /// Records an added or removed value.
  mutating func note(_ value: DerivedValue, of column: DerivedColumn, isAdded: Bool) {
    if column.kind == .count { return sum += isAdded ? 1 : -1 }
    if value == .none { return }
    if column.isAdditive {
      guard case .integer(let number) = value else { return }
      sum += isAdded ? Int128(number) : -Int128(number)
    } else if column.kind == .sum {
      isToBeMadeAnew = true
    } else if value.isOrdered {
      if isAdded { added = column.better(added, value) } else { removed = column.better(removed, value) }
    }
  }
}

/// A column of the member objects from which a derived property is computed.
final class DerivedSource: Sendable {
  let column: ColumnEntry
  let kind: ColumnType.Kind
  private let id: UInt16

  init(_ column: ColumnEntry) {
    self.column = column
    kind = column.type.kind
    id = column.id
  }

  /// Returns the value of an object.
  func value(in view: RecordView, of table: Table, key: UnsafeRawBufferPointer) throws -> DerivedValue {
    if let place = view.layout.place(ofColumn: id), !place.isConverted {
      if view.isNil(place) { return .none }
      if place.form == .integer { return .integer(view.integer(place)) }
    }
    var value = DerivedValue.none
    try table.payload(of: column, in: view, key: key) { value = DerivedValue($0, kind: kind) }
    return value
  }
}
