import FiefCore

/// A field operation as an application writes it: a property, and what becomes of it.
struct FieldOperation {
  enum Place {
    case path(AnyKeyPath)
    /// Names with dots between them.
    case name(String)
  }

  enum Operand {
    /// Another value, of the property's type or optional.
    case value(any Persistable)
    /// A link to the object with a primary key.
    case key(Any)
    case increment(FieldIncrement.Amount)
    case timestamp
    /// Elements to add to a collection or to remove from it.
    case elements(any Persistable, isUnion: Bool)
    /// The class's default.
    case delete
    case named(FieldValue)
  }

  let place: Place
  let operand: Operand

  /// The operations that a caller gives by name, in the order of the names: a dictionary has none.
  static func named(_ fields: [String: FieldValue]) -> [FieldOperation] {
    fields.sorted { $0.key < $1.key }.map { FieldOperation(place: .name($0.key), operand: .named($0.value)) }
  }
}
