/// The rules of a relationship as the catalogue has them.
package struct RelationshipEntry: Sendable, Equatable {
  var column: UInt16
  var deleteRule: DeleteRule
  /// The least number of objects where there are any; 1 or more for a required relationship.
  var minimum: Int
  var maximum: Int?
  /// Whether there has to be one at all. Without it no object is fine, whatever the minimum.
  var isRequired: Bool
  /// Whether it is required by the store's format: before 6 a least number of 1 alone was kept as this, too. A class that
  /// still declares that number declares this rule; in other stores it declares none.
  var mayBeLeastOne = false

  /// The largest limit.
  static let mostObjects = Int(UInt32.max)
}

/// The rules of a relationship by the name of its column: as a class declares them, or as a store has them.
package struct RelationshipName: Hashable, Sendable {
  package var column: String
  package var deleteRule: DeleteRule
  package var minimum: Int
  package var maximum: Int?
  package var isRequired: Bool
}

extension RelationshipName: CustomStringConvertible {
  /// As in `members: cascade, 2 to 100`.
  package var description: String { "\(column): \(rules)" }

  /// As in `cascade, 2 to 100`.
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
  /// Whether what fulfils another rule may not fulfil this one.
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
  /// Whether it is a single link.
  var isToOne: Bool { kind == .link && container == .none }
  /// Whether it is a relationship to any number of objects.
  var isToMany: Bool { kind == .linkingObjects || kind == .link && container != .none }
}
