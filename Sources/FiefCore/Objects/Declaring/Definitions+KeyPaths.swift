import Foundation

extension IndexDefinition {
  /// Creates an index of the values of properties.
  ///
  /// - Parameters:
  ///   - first: the first property of the index.
  ///   - others: the other properties, in their order in the index.
  public init<Root: ObjectBase>(_ first: PartialKeyPath<Root>, _ others: PartialKeyPath<Root>...) {
    self.init(([first] + others).map { .keyPath($0) })
  }

  /// Returns an index in which no two objects have the same values.
  ///
  /// Several objects may have the same values if one of the values is nil.
  ///
  /// - Parameters:
  ///   - first: the first property of the index.
  ///   - others: the other properties, in their order in the index.
  public static func unique<Root: ObjectBase>(
    _ first: PartialKeyPath<Root>,
    _ others: PartialKeyPath<Root>...
  )
    -> IndexDefinition
  {
    var index = IndexDefinition(([first] + others).map { .keyPath($0) })
    index.isUnique = true
    return index
  }

  /// Returns an index of the words of texts, for `matches`.
  ///
  /// - Parameters:
  ///   - first: a property.
  ///   - others: further properties.
  public static func fullText<Root: ObjectBase>(
    _ first: PartialKeyPath<Root>,
    _ others: PartialKeyPath<Root>...
  ) -> IndexDefinition {
    var index = IndexDefinition(([first] + others).map { .keyPath($0) })
    index.kind = .fullText
    return index
  }
}

extension Relationship {
  /// Creates the rules of a relationship.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - deleteRule: the effect of deleting an object of the class on the objects at the other end.
  ///   - isRequired: whether the other end must have an object.
  ///   - minimum: the minimum number of objects in a collection or an inverse that is not empty. As in Core
  ///     Data, an empty relationship is valid unless `isRequired` is true, so 1 has no effect. In stores of
  ///     formats before 6 it means `isRequired`.
  ///   - maximum: the maximum number of objects in a collection or an inverse; `nil` means no limit.
  public init<Root: ObjectBase>(
    _ property: PartialKeyPath<Root>,
    deleteRule: DeleteRule = .nullify,
    isRequired: Bool = false,
    minimum: Int = 0,
    maximum: Int? = nil
  ) {
    self.init(.keyPath(property), deleteRule, isRequired, minimum, maximum)
  }
}

extension DerivedProperty {
  /// Creates the declaration of a derived property.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - derivation: the definition of the value.
  public init<Root: ObjectBase>(_ property: PartialKeyPath<Root>, _ derivation: Derivation) {
    self.init(.keyPath(property), derivation)
  }
}

extension Lifetime {
  /// Creates the lifetime of a class's objects.
  ///
  /// - Parameters:
  ///   - seconds: the age, in seconds, up to which an object is fresh.
  ///   - property: the `Date` or `Date?` property from which the age is measured.
  ///   - maximumCount: the maximum number of objects; beyond it the oldest objects are evicted. `nil` means
  ///     no limit.
  ///   - maximumBytes: the maximum size, in bytes, of the pages of the objects; beyond it the oldest objects
  ///     are evicted. `nil` means no limit.
  ///   - tier: the kinds of stores that may contain the objects.
  public init<Root: ObjectBase>(
    _ seconds: TimeInterval,
    since property: PartialKeyPath<Root>,
    maximumCount: Int? = nil,
    maximumBytes: Int? = nil,
    tier: Tier = .plain
  ) {
    self.init(seconds, .keyPath(property), maximumCount, maximumBytes, tier)
  }
}

extension Derivation {
  /// Returns the number of objects of a relationship. The property is an integer.
  ///
  /// - Parameter relationship: a link, a list, a set or a map of links, or an inverse.
  public static func count<Root: ObjectBase>(of relationship: PartialKeyPath<Root>) -> Derivation {
    Derivation(.count, .keyPath(relationship))
  }

  /// Returns the sum of a number over the objects of a relationship, or 0 if it has no objects.
  ///
  /// - Parameters:
  ///   - relationship: a link, a list, a set or a map of links, or an inverse.
  ///   - property: the number.
  public static func sum<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    Derivation(.sum, .keyPath(relationship), .keyPath(property))
  }

  /// Returns the minimum of a value over the objects of a relationship, or nil if it has no objects. The
  /// property is optional.
  ///
  /// - Parameters:
  ///   - relationship: a link, a list, a set or a map of links, or an inverse.
  ///   - property: the number, text or date.
  public static func min<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    Derivation(.minimum, .keyPath(relationship), .keyPath(property))
  }

  /// Returns the maximum of a value over the objects of a relationship, or nil if it has no objects. The
  /// property is optional.
  ///
  /// - Parameters:
  ///   - relationship: a link, a list, a set or a map of links, or an inverse.
  ///   - property: the number, text or date.
  public static func max<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    Derivation(.maximum, .keyPath(relationship), .keyPath(property))
  }

  /// Returns a text in lower case.
  ///
  /// - Parameter property: the text.
  public static func lowercased<Root: ObjectBase>(of property: PartialKeyPath<Root>) -> Derivation {
    Derivation(.lowercased, .keyPath(property))
  }
}
