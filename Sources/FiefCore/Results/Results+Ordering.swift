import Foundation

extension Results {
  /// The same objects in the order of a property.
  ///
  /// ```swift
  /// let oldestFirst = people.sorted(byKeyPath: "age", ascending: false)
  /// let byCity = people.sorted(byKeyPath: "address.city")
  /// ```
  /// Nil is smaller than anything and text is ordered by its UTF-8 bytes; ``PropertyOrder`` has other choices.
  /// Objects with equal values come in the order of their keys. An order replaces an earlier one.
  ///
  /// - Parameters:
  ///   - keyPath: the property's name; names with dots between them lead through links to one object and embedded
  ///     objects. A name that the type does not have throws where objects are read, and gives no objects where
  ///     reading cannot throw.
  ///   - ascending: whether smaller values come first.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results {
    sorted(by: [PropertyOrder(keyPath: keyPath, ascending: ascending)])
  }

  /// The same objects in the order of a property, as ``sorted(byKeyPath:ascending:)-(String,_)`` has them.
  ///
  /// ```swift
  /// let byName = people.sorted(byKeyPath: \.name)
  /// ```
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
    describing { $0.order = [QueryOrder(.path(try QueryPath.of(keyPath)), ascending: ascending)] }
  }

  /// The same objects in the order of a property, as ``sorted(byKeyPath:ascending:)-(String,_)`` has them.
  ///
  /// ```swift
  /// let byName = people.sorted(by: \.name)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
    sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The same objects in the order of several properties, the first of them deciding first.
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

  /// The same objects in the order of several properties, the first of them deciding first.
  public func sorted(by order: some Sequence<PropertyOrder>) -> Results { sorted(by: Array(order)) }

  /// The same objects in the order of a Foundation sort descriptor.
  ///
  /// A descriptor that compares text as a language has it does so in the current locale; one that compares by
  /// a closure or a comparator of the application's own cannot be expressed, which is an error where the
  /// results are used.
  public func sorted(by descriptor: SortDescriptor<Element>) -> Results { sorted(by: [descriptor]) }

  /// The same objects in the order of several Foundation sort descriptors, the first of them deciding first.
  ///
  /// ```swift
  /// let sorted = people.sorted(by: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)])
  /// ```
  public func sorted(by descriptors: [SortDescriptor<Element>]) -> Results {
    describing { $0.order = try descriptors.map { try QueryOrder($0) } }
  }

  /// The objects, best first, by how well they fit the full-text conditions.
  public func sortedByRelevance() -> Results {
    describing { $0.order = [QueryOrder(.relevance)] }
  }

  /// The first object of those with equal values of all of some properties, in the order of the results.
  ///
  /// - Parameter keyPaths: names of properties, as in ``sorted(byKeyPath:ascending:)-(String,_)``.
  public func distinct(by keyPaths: [String]) -> Results {
    describing { $0.distinct = keyPaths.map(QueryPath.init(keyPath:)) }
  }

  /// The first object of those with equal values of all of some properties, in the order of the results.
  ///
  /// ```swift
  /// let oneOfEachCity = people.sorted(byKeyPath: \.name).distinct(by: \.city)
  /// ```
  public func distinct(by keyPaths: PartialKeyPath<Element>...) -> Results { distinct(by: keyPaths) }

  /// The first object of those with equal values of all of some properties, in the order of the results.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results {
    describing { $0.distinct = try keyPaths.map { try QueryPath.of($0) } }
  }
}
