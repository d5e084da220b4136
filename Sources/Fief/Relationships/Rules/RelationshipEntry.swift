/// The rules of a relationship as the catalogue has them.
struct RelationshipEntry: Sendable, Equatable {
  var column: UInt16
  var deleteRule: DeleteRule
  /// How many objects there are at least; 1 for what is required.
  var minimum: Int
  var maximum: Int?

  /// The largest limit.
  static let mostObjects = Int(UInt32.max)
}

/// The rules of a relationship by the name of its column: as a class declares them, or as a store has them.
struct RelationshipName: Hashable, Sendable {
  var column: String
  var deleteRule: DeleteRule
  var minimum: Int
  var maximum: Int?
}

extension RelationshipName: CustomStringConvertible {
  /// As in `members: cascade, 2 to 100`.
  var description: String { "\(column): \(rules)" }

  /// As in `cascade, 2 to 100`.
  var rules: String {
    switch (minimum, maximum) {
    case (0, nil): return "\(deleteRule)"
    case (1, nil): return "\(deleteRule), required"
    case (_, nil): return "\(deleteRule), at least \(minimum)"
    case (0, let maximum?): return "\(deleteRule), at most \(maximum)"
    case (_, let maximum?):
      return minimum == maximum
        ? "\(deleteRule), exactly \(minimum)" : "\(deleteRule), \(minimum) to \(maximum)"
    }
  }
}

extension RelationshipName {
  /// Whether what fulfils another rule may not fulfil this one.
  func isStricter(than other: RelationshipName) -> Bool {
    minimum > other.minimum || (maximum ?? Int.max) < (other.maximum ?? Int.max)
  }
}

extension RelationshipEntry {
  func name(in type: TypeEntry) -> RelationshipName {
    RelationshipName(
      column: type.column(column)?.name ?? "?",
      deleteRule: deleteRule,
      minimum: minimum,
      maximum: maximum
    )
  }
}

extension ColumnType {
  /// Whether it is a single link.
  var isToOne: Bool { kind == .link && container == .none }
  /// Whether it is a relationship to any number of objects.
  var isToMany: Bool { kind == .linkingObjects || kind == .link && container != .none }
}
