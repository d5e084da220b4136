import FiefCore

/// A field operation as the application specifies it: a property and its change.
struct FieldOperation {
  enum Place {
    case path(AnyKeyPath)
    /// Names separated by dots.
    case name(String)
  }

  enum Operand {
    /// A new value, of the property's type or its optional.
    case value(any Persistable)
    /// A link to the object with a primary key.
    case key(Any)
    case increment(FieldIncrement.Amount)
    case timestamp
    /// Elements to add to a collection or to remove from it.
    case elements(any Persistable, isUnion: Bool)
    /// Resets the property to the default of its class.
    case delete
    case named(FieldValue)
  }

  let place: Place
  let operand: Operand

  /// Returns operations on properties that are identified by their names, sorted by name, because a
  /// dictionary has no order.
  static func named(_ fields: [String: FieldValue]) -> [FieldOperation] {
    fields.sorted { $0.key < $1.key }.map { FieldOperation(place: .name($0.key), operand: .named($0.value)) }
  }
}
