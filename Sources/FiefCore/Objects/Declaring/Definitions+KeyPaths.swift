import Foundation

extension IndexDefinition {
  /// An index of the values of properties.
  ///
  /// - Parameters:
  ///   - first: the property that decides first.
  ///   - others: the ones that decide after it.
  public init<Root: ObjectBase>(_ first: PartialKeyPath<Root>, _ others: PartialKeyPath<Root>...) {
    self.init(([first] + others).map { .keyPath($0) })
  }

  /// An index in which no two objects have the same values; an object with nil in one of them may be there
  /// more than once.
  ///
  /// - Parameters:
  ///   - first: the property that decides first.
  ///   - others: the ones that decide after it.
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

  /// An index of the words of texts, for `matches`.
  ///
  /// - Parameters:
  ///   - first: a property.
  ///   - others: further ones.
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
  /// The rules of a relationship.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - deleteRule: what deleting an object of the class does to the objects at the other end.
  ///   - isRequired: whether there has to be an object at the other end.
  ///   - minimum: how many objects of a collection or an inverse there are at least, where there are any: without
  ///     `isRequired` none is fine too, as in Core Data, and 1 says nothing but in stores of formats before 6,
  ///     where it goes on meaning `isRequired`.
  ///   - maximum: how many objects of a collection or an inverse there are at most; nil for any number.
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
  /// A derived property.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - derivation: what its value is.
  public init<Root: ObjectBase>(_ property: PartialKeyPath<Root>, _ derivation: Derivation) {
    self.init(.keyPath(property), derivation)
  }
}

extension Lifetime {
  /// The lifetime of a class's objects.
  ///
  /// - Parameters:
  ///   - seconds: the age, in seconds, up to which an object is fresh.
  ///   - property: the `Date` or `Date?` that the age is counted from.
  ///   - maximumCount: the greatest number of objects; the oldest ones beyond it are evicted. nil for any number.
  ///   - maximumBytes: the greatest number of bytes of the pages that the objects take; nil for any number.
  ///   - tier: where the objects may be kept.
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
  /// The number of objects of a relationship; the property is an integer.
  ///
  /// - Parameter relationship: a link, a list, a set or a map of links, or an inverse.
  public static func count<Root: ObjectBase>(of relationship: PartialKeyPath<Root>) -> Derivation {
    Derivation(.count, .keyPath(relationship))
  }

  /// The sum of a number over the objects of a relationship; 0 where there is none.
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

  /// The least value over the objects of a relationship; nil where there is none, so that the property is optional.
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

  /// The greatest value over the objects of a relationship; nil where there is none, so that the property is optional.
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

  /// A text in lower case.
  ///
  /// - Parameter property: the text.
  public static func lowercased<Root: ObjectBase>(of property: PartialKeyPath<Root>) -> Derivation {
    Derivation(.lowercased, .keyPath(property))
  }
}
