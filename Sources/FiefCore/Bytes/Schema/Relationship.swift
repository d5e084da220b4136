/// The rules of a relationship, as declared by a class in ``ObjectBase/relationships()``.
///
/// ```swift
/// override class func relationships() -> [Relationship] {
///   [
///     Relationship("messages", deleteRule: .cascade),
///     Relationship("members", isRequired: true, minimum: 2, maximum: 100),
///     Relationship(\Chat.owner, isRequired: true),
///   ]
/// }
/// ```
/// A relationship is a link, a list, a set or a map of links, or an inverse (``LinkingObjects``). Without
/// declared rules it has the rule ``DeleteRule/nullify`` and no limits. The rules apply to every kind of
/// write: saves, writes, documents, imports and migrations.
public struct Relationship {
  let property: IndexDefinition.Property
  let deleteRule: DeleteRule
  let isRequired: Bool
  let minimum: Int
  let maximum: Int?

  /// Creates the rules of a relationship.
  ///
  /// - Parameters:
  ///   - name: the property.
  ///   - deleteRule: the effect of deleting an object of the class on the objects at the other end.
  ///   - isRequired: whether there has to be an object at the other end.
  ///   - minimum: the minimum number of objects of a collection or an inverse that is not empty. As in Core
  ///     Data, an empty relationship is valid unless `isRequired` is true. A minimum of 1 has no effect,
  ///     except in stores of formats before 6. In those stores it still means `isRequired`.
  ///   - maximum: the maximum number of objects of a collection or an inverse; `nil` means no limit.
  public init(
    _ name: String,
    deleteRule: DeleteRule = .nullify,
    isRequired: Bool = false,
    minimum: Int = 0,
    maximum: Int? = nil
  ) {
    self.init(.name(name), deleteRule, isRequired, minimum, maximum)
  }

  init(
    _ property: IndexDefinition.Property,
    _ deleteRule: DeleteRule,
    _ isRequired: Bool,
    _ minimum: Int,
    _ maximum: Int?
  ) {
    self.property = property
    self.deleteRule = deleteRule
    self.isRequired = isRequired
    self.minimum = minimum
    self.maximum = maximum
  }
}
