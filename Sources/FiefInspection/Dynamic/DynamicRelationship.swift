import FiefCore

/// The rules of one relationship of a type, as the catalogue has them.
public struct DynamicRelationship: Sendable, Hashable {
  private let name: RelationshipName

  init(_ name: RelationshipName) { self.name = name }

  /// The name of the property.
  public var property: String { name.column }
  /// The effect of deleting an object on those at the other end.
  public var deleteRule: DeleteRule { name.deleteRule }
  /// Whether there has to be an object.
  public var isRequired: Bool { name.isRequired }
  /// The least number of objects where there are any; 1 or more for a required relationship.
  public var minimum: Int { name.minimum }
  /// The greatest number of objects; nil for any number.
  public var maximum: Int? { name.maximum }
}

extension DynamicRelationship: CustomStringConvertible {
  /// As in `members: cascade, 2 to 100`.
  public var description: String { name.description }
  /// As in `cascade, 2 to 100`.
  public var rules: String { name.rules }
}

/// One derived property of a type, as the catalogue has it.
public struct DynamicDerivedProperty: Sendable, Hashable {
  private let name: DerivedName

  init(_ name: DerivedName) { self.name = name }

  /// The name of the property.
  public var property: String { name.column }
  /// The computation of the value, in words: `sum of orders.price`.
  public var derivation: String { name.derivation }
}

extension DynamicDerivedProperty: CustomStringConvertible {
  /// As in `total: sum of orders.price`.
  public var description: String { name.description }
}
