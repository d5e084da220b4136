/// A property whose value the store keeps, as a class declares it in ``ObjectBase/derivedProperties()``.
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
/// The value is right after every change, however it was made, and is read like any other. A value that is
/// assigned to the property is not kept.
public struct DerivedProperty {
  let property: IndexDefinition.Property
  let derivation: Derivation

  /// A derived property.
  ///
  /// - Parameters:
  ///   - name: the property.
  ///   - derivation: what its value is.
  public init(_ name: String, _ derivation: Derivation) { self.init(.name(name), derivation) }

  init(_ property: IndexDefinition.Property, _ derivation: Derivation) {
    self.property = property
    self.derivation = derivation
  }
}
