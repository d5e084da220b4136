/// The rules of a relationship, as a class declares them in ``ObjectBase/relationships()``.
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
/// A relationship is a link, a list, a set or a map of links, or the inverse of one (``LinkingObjects``). A
/// relationship without declared rules has the rule ``DeleteRule/nullify`` and no limits. Every kind of write
/// obeys them: saves, writes, documents, imports and migrations.
public struct Relationship {
  let property: IndexDefinition.Property
  let deleteRule: DeleteRule
  let isRequired: Bool
  let minimum: Int
  let maximum: Int?

  /// The rules of a relationship.
  ///
  /// - Parameters:
  ///   - name: the property.
  ///   - deleteRule: the effect of deleting an object of the class on the objects at the other end.
  ///   - isRequired: whether there has to be an object at the other end.
  ///   - minimum: the least number of objects of a collection or an inverse, where there are any: without
  ///     `isRequired` none is fine too, as in Core Data, and 1 has no meaning except in stores of formats
  ///     before 6, where it still means `isRequired`.
  ///   - maximum: the greatest number of objects of a collection or an inverse; nil for any number.
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
