import Foundation

extension Results {
  /// Returns the objects, sorted by a property.
  ///
  /// ```swift
  /// let oldestFirst = people.sorted(byKeyPath: "age", ascending: false)
  /// let byCity = people.sorted(byKeyPath: "address.city")
  /// ```
  /// Nil sorts before every other value, and texts sort by their UTF-8 bytes; ``PropertyOrder`` has other
  /// options. Objects with equal values are sorted by their keys. An order replaces an earlier one.
  ///
  /// - Parameters:
  ///   - keyPath: the property's name. Names separated by dots lead through links to one object and embedded
  ///     objects. If the type has no such property, methods that read objects throw; methods that cannot
  ///     throw find no objects.
  ///   - ascending: whether smaller values come first.
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> Results {
    sorted(by: [PropertyOrder(keyPath: String(keyPath), ascending: ascending)])
  }

  /// Returns the objects, sorted by a property; see `sorted(byKeyPath:ascending:)`.
  ///
  /// ```swift
  /// let byName = people.sorted(byKeyPath: \.name)
  /// ```
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
    describing { $0.order = [QueryOrder(.path(try QueryPath.of(keyPath)), ascending: ascending)] }
  }

  /// Returns the objects, sorted by a property; see `sorted(byKeyPath:ascending:)`.
  ///
  /// ```swift
  /// let byName = people.sorted(by: \.name)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
    sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects, sorted by several properties. The first property has the highest precedence.
  ///
  /// ```swift
  /// let sorted = people.sorted(by: [
  ///   PropertyOrder(keyPath: "address.city", nils: .last),
  ///   PropertyOrder(keyPath: "name", collation: .caseInsensitive),
  /// ])
  /// ```
  public func sorted(by order: [PropertyOrder]) -> Results {
    describing { $0.order = order.map(\.queryOrder) }
  }

  /// Returns the objects, sorted by several properties. The first property has the highest precedence.
  public func sorted(by order: some Sequence<PropertyOrder>) -> Results { sorted(by: Array(order)) }

  /// Returns the objects, sorted by a Foundation sort descriptor.
  ///
  /// A descriptor that compares text by the rules of a language uses the current locale. A descriptor with a
  /// closure or a custom comparator cannot be expressed as a query; using the results is then an error.
  public func sorted(by descriptor: SortDescriptor<Element>) -> Results { sorted(by: [descriptor]) }

  /// Returns the objects, sorted by several Foundation sort descriptors. The first has the highest
  /// precedence.
  ///
  /// ```swift
  /// let sorted = people.sorted(by: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)])
  /// ```
  public func sorted(by descriptors: [SortDescriptor<Element>]) -> Results {
    describing { $0.order = try descriptors.map { try QueryOrder($0) } }
  }

  /// Returns the objects, sorted by how well they match the full-text conditions, with the best match first.
  public func sortedByRelevance() -> Results {
    describing { $0.order = [QueryOrder(.relevance)] }
  }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  ///
  /// - Parameter keyPaths: names of properties, as in `sorted(byKeyPath:ascending:)`.
  public func distinct(by keyPaths: [String]) -> Results {
    describing { $0.distinct = keyPaths.map(QueryPath.init(keyPath:)) }
  }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  ///
  /// ```swift
  /// let oneOfEachCity = people.sorted(byKeyPath: \.name).distinct(by: \.city)
  /// ```
  public func distinct(by keyPaths: PartialKeyPath<Element>...) -> Results { distinct(by: keyPaths) }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results {
    describing { $0.distinct = try keyPaths.map { try QueryPath.of($0) } }
  }
}
