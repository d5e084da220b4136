/// The rules of a relationship in the catalogue.
package struct RelationshipEntry: Sendable, Equatable {
  var column: UInt16
  var deleteRule: DeleteRule
  /// The minimum number of objects if the relationship is not empty; 1 or more for a required relationship.
  var minimum: Int
  var maximum: Int?
  /// Whether the relationship must not be empty. Otherwise an empty relationship is valid, whatever the
  /// minimum.
  var isRequired: Bool
  /// Whether a required relationship may result from a declared minimum of 1, which formats before 6 stored
  /// like `isRequired`. The relationship stays required while the class still declares this minimum. In other
  /// stores a declared minimum of 1 has no effect.
  var mayBeLeastOne = false

  /// The highest limit that can be declared.
  static let mostObjects = Int(UInt32.max)
}

/// The rules of a relationship, given by the name of its column, as declared by a class or as stored.
package struct RelationshipName: Hashable, Sendable {
  package var column: String
  package var deleteRule: DeleteRule
  package var minimum: Int
  package var maximum: Int?
  package var isRequired: Bool
}

extension RelationshipName: CustomStringConvertible {
  /// The column and its rules, such as `members: cascade, 2 to 100`.
  package var description: String { "\(column): \(rules)" }

  /// The rules, such as `cascade, 2 to 100`.
  package var rules: String {
    let none = isRequired ? "" : "none or "
    switch (minimum, maximum) {
    case (0, nil): return "\(deleteRule)"
    case (1, nil): return "\(deleteRule), required"
    case (_, nil): return "\(deleteRule), \(none)at least \(minimum)"
    case (0, let maximum?): return "\(deleteRule), at most \(maximum)"
    case (_, let maximum?):
      return minimum == maximum
        ? "\(deleteRule), \(none)exactly \(minimum)" : "\(deleteRule), \(none)\(minimum) to \(maximum)"
    }
  }
}

extension RelationshipName {
  /// Whether some objects may meet the other rule but not this one.
  package func isStricter(than other: RelationshipName) -> Bool {
    minimum > other.minimum || (maximum ?? Int.max) < (other.maximum ?? Int.max)
      || isRequired && !other.isRequired
  }
}

extension RelationshipEntry {
  package func name(in type: TypeEntry) -> RelationshipName {
    RelationshipName(
      column: type.column(column)?.name ?? "?",
      deleteRule: deleteRule,
      minimum: minimum,
      maximum: maximum,
      isRequired: isRequired
    )
  }
}

extension ColumnType {
  /// Whether the column is a single link.
  var isToOne: Bool { kind == .link && container == .none }
  /// Whether the column is a relationship to any number of objects.
  var isToMany: Bool { kind == .linkingObjects || kind == .link && container != .none }
}
