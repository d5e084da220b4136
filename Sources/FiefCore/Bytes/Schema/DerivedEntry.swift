/// A derived property in the catalogue.
package struct DerivedEntry: Sendable, Equatable {
  /// The kind of computation.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// The number of objects of a relationship.
    case count = 1
    /// The sum of a column over the objects of a relationship.
    case sum = 2
    /// The minimum of a column over the objects of a relationship.
    case minimum = 3
    /// The maximum of a column over the objects of a relationship.
    case maximum = 4
    /// A text of the same object in lower case.
    case lowercased = 5
    /// The time at which the object was last written.
    case lastChange = 6

    /// Whether the value is computed from a column of the objects of a relationship.
    var hasTarget: Bool { self == .sum || self == .minimum || self == .maximum }
    /// Whether the value is computed from a relationship.
    var isOfRelationship: Bool { self == .count || hasTarget }
  }

  /// The column that stores the value.
  var column: UInt16
  var kind: Kind
  /// The column of the relationship or text that the value is derived from; `nil` for the time of the last
  /// change.
  var source: UInt16?
  /// The name of the column of the related objects, for a sum, a minimum or a maximum.
  var target: String?
}

/// A derived property given by the names of its columns, as declared by a class or as stored.
package struct DerivedName: Hashable, Sendable {
  package var column: String
  var kind: DerivedEntry.Kind
  var source: String?
  var target: String?
}

extension DerivedName: CustomStringConvertible {
  /// The property and its definition, such as `total: sum of orders.price`.
  package var description: String { "\(column): \(derivation)" }

  /// The definition, such as `sum of orders.price`.
  package var derivation: String {
    let path = [source, target].compactMap { $0 }.joined(separator: ".")
    switch kind {
    case .count: return "count of \(path)"
    case .sum: return "sum of \(path)"
    case .minimum: return "minimum of \(path)"
    case .maximum: return "maximum of \(path)"
    case .lowercased: return "\(path) in lower case"
    case .lastChange: return "time of the last change"
    }
  }
}

extension DerivedEntry {
  package func name(in type: TypeEntry) -> DerivedName {
    DerivedName(
      column: type.column(column)?.name ?? "?",
      kind: kind,
      source: source.map { type.column($0)?.name ?? "?" },
      target: target
    )
  }
}
