import FiefCore

/// The rules of one relationship of a type, as stored in the catalogue.
public struct DynamicRelationship: Sendable, Hashable {
  private let name: RelationshipName

  init(_ name: RelationshipName) { self.name = name }

  /// The name of the property.
  public var property: String { name.column }
  /// The effect that deleting an object has on the objects at the other end.
  public var deleteRule: DeleteRule { name.deleteRule }
  /// A Boolean value that indicates whether an object is required.
  public var isRequired: Bool { name.isRequired }
  /// The minimum number of objects, if there are any; at least 1 for a required relationship.
  public var minimum: Int { name.minimum }
  /// The maximum number of objects, or `nil` for no limit.
  public var maximum: Int? { name.maximum }
}

extension DynamicRelationship: CustomStringConvertible {
  /// A description such as `members: cascade, 2 to 100`.
  public var description: String { name.description }
  /// The rules, such as `cascade, 2 to 100`.
  public var rules: String { name.rules }
}

/// A derived property of a type, as stored in the catalogue.
public struct DynamicDerivedProperty: Sendable, Hashable {
  private let name: DerivedName

  init(_ name: DerivedName) { self.name = name }

  /// The name of the property.
  public var property: String { name.column }
  /// A description of the computation, such as `sum of orders.price`.
  public var derivation: String { name.derivation }
}

extension DynamicDerivedProperty: CustomStringConvertible {
  /// A description such as `total: sum of orders.price`.
  public var description: String { name.description }
}
