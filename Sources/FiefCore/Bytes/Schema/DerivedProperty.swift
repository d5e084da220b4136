/// A property whose value the store computes, as declared by a class in ``ObjectBase/derivedProperties()``.
///
/// ```swift
/// override class func derivedProperties() -> [DerivedProperty] {
///   [
///     DerivedProperty("membersCount", .count(of: "members")),
///     DerivedProperty(\Chat.lastRead, .max(of: "messages.readAt")),
///     DerivedProperty("searchName", .lowercased(of: "name")),
///     DerivedProperty("changedAt", .lastChange),
///   ]
/// }
/// ```
/// The value is correct after every change, however it was made, and is read like any other value. Values
/// that you assign to the property are not stored.
public struct DerivedProperty {
  let property: IndexDefinition.Property
  let derivation: Derivation

  /// Creates a derived property.
  ///
  /// - Parameters:
  ///   - name: the property.
  ///   - derivation: the definition of its value.
  public init(_ name: String, _ derivation: Derivation) { self.init(.name(name), derivation) }

  init(_ property: IndexDefinition.Property, _ derivation: Derivation) {
    self.property = property
    self.derivation = derivation
  }
}
