import Foundation

extension ObjectQuery {
  // MARK: Conditions

  /// Returns the objects that meet a condition.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "A") }
  /// ```
  /// The closure is called once, immediately, and describes the objects to find; it does not receive any
  /// object. If the condition cannot be answered, using the results is an error; see ``Query``.
  ///
  /// - Parameter isIncluded: builds the condition from a ``Query`` of the object.
  public func `where`(_ isIncluded: (Query<_Queried>) -> Query<Bool>) -> _Shaped {
    _shaped(_QueryChange(.condition(Result { try TypedQuery.condition(isIncluded) })))
  }

  /// Returns the objects that a predicate accepts.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).filter(#Predicate<Dog> { $0.age > 3 })
  /// ```
  /// The predicate is not evaluated. Fief translates it to the same query as a closure of ``where(_:)``. If
  /// it has a part that a store cannot answer, such as a computed property or a regular expression, using the
  /// results throws a ``FiefError`` of code `invalidQuery`. Texts are equal if their bytes are equal;
  /// `localizedStandardContains` and `caseInsensitiveCompare` give the same result in every locale.
  public func filter(_ predicate: Predicate<_Queried>) -> _Shaped {
    _shaped(_QueryChange(.condition(Result { try predicate.queryCondition() })))
  }

  /// Returns the objects that also match a query text. If the text has an order, it replaces the order of the
  /// results. The syntax is described in <doc:QueryLanguage>.
  ///
  /// ```swift
  /// let dogs = store.objects(Dog.self).filter("age > 3 AND name BEGINSWITH[c] %@", "a")
  /// ```
  /// Arguments are values of the query and never part of its text. A text with an error returns results whose
  /// every use fails, as ``Results`` describes; ``Results/query(_:arguments:)`` throws the error at once.
  ///
  /// - Parameters:
  ///   - format: the condition, and clauses such as `SORT(age DESC) LIMIT(20)`.
  ///   - args: the values for `%@` in turn, or for `$0`, `$1`; for `%K`, the name of a property.
  public func filter(_ format: String, _ args: Any...) -> _Shaped { filter(format, variadic: args) }

  /// Returns the objects that also match a query text without arguments; see ``filter(_:_:)``.
  public func filter(_ format: String) -> _Shaped { filter(format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; `nil` for a call without arguments. An empty array
  ///   of type `[Any]` is a list without elements.
  package func filter(_ format: String, variadic args: [Any]?) -> _Shaped {
    _shaped(_QueryChange(.text(format, args)))
  }

  // MARK: Orders

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
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> _Shaped {
    sorted(by: [PropertyOrder(keyPath: String(keyPath), ascending: ascending)])
  }

  /// Returns the objects, sorted by a property; see `sorted(byKeyPath:ascending:)`.
  ///
  /// ```swift
  /// let byName = people.sorted(byKeyPath: \.name)
  /// ```
  public func sorted<Value>(byKeyPath keyPath: KeyPath<_Queried, Value>, ascending: Bool = true) -> _Shaped {
    _shaped(
      _QueryChange(.order(Result { [QueryOrder(.path(try QueryPath.of(keyPath)), ascending: ascending)] }))
    )
  }

  /// Returns the objects, sorted by a property; see `sorted(byKeyPath:ascending:)`.
  ///
  /// ```swift
  /// let byName = people.sorted(by: \.name)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<_Queried, Value>, ascending: Bool = true) -> _Shaped {
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
  public func sorted(by order: [PropertyOrder]) -> _Shaped {
    _shaped(_QueryChange(.order(.success(order.map(\.queryOrder)))))
  }

  /// Returns the objects, sorted by several properties. The first property has the highest precedence.
  public func sorted(by order: some Sequence<PropertyOrder>) -> _Shaped { sorted(by: Array(order)) }

  /// Returns the objects, sorted by a Foundation sort descriptor.
  ///
  /// A descriptor that compares text by the rules of a language uses the current locale. A descriptor with a
  /// closure or a custom comparator cannot be expressed as a query; using the results is then an error.
  public func sorted(by descriptor: SortDescriptor<_Queried>) -> _Shaped { sorted(by: [descriptor]) }

  /// Returns the objects, sorted by several Foundation sort descriptors. The first has the highest
  /// precedence.
  ///
  /// ```swift
  /// let sorted = people.sorted(by: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)])
  /// ```
  public func sorted(by descriptors: [SortDescriptor<_Queried>]) -> _Shaped {
    _shaped(_QueryChange(.order(Result { try descriptors.map { try QueryOrder($0) } })))
  }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  ///
  /// - Parameter keyPaths: names of properties, as in `sorted(byKeyPath:ascending:)`.
  public func distinct(by keyPaths: [String]) -> _Shaped {
    _shaped(_QueryChange(.distinct(.success(keyPaths.map(QueryPath.init(keyPath:))))))
  }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  ///
  /// ```swift
  /// let oneOfEachCity = people.sorted(byKeyPath: \.name).distinct(by: \.city)
  /// ```
  public func distinct(by keyPaths: PartialKeyPath<_Queried>...) -> _Shaped { distinct(by: keyPaths) }

  /// Returns the first object for each distinct combination of values of some properties, in the order of the
  /// results.
  public func distinct(by keyPaths: [PartialKeyPath<_Queried>]) -> _Shaped {
    _shaped(_QueryChange(.distinct(Result { try keyPaths.map { try QueryPath.of($0) } })))
  }

  // MARK: Bounds

  /// Returns the first objects, up to a number.
  ///
  /// ```swift
  /// let topTen = players.sorted(byKeyPath: "score", ascending: false).limit(10)
  /// ```
  /// The order of the method calls does not matter. A query always applies its parts in this sequence:
  /// condition, order, distinct, bounds of cursors, offset, limit. A later limit replaces an earlier one. A
  /// limit below zero counts as zero.
  public func limit(_ count: Int) -> _Shaped { _shaped(_QueryChange(.limit(count))) }

  /// Returns the objects after the first ones. An offset below zero counts as zero.
  ///
  /// All skipped objects are read. To find a page far down, use a cursor.
  public func offset(_ count: Int) -> _Shaped { _shaped(_QueryChange(.offset(count))) }
}

extension ObjectQuery where Self: Sequence, Element == _Queried {
  /// Returns the objects that a predicate accepts. For a sequence, Swift prefers this form to the one of
  /// Foundation, which evaluates the predicate for each element.
  public func filter(_ predicate: Predicate<Element>) -> _Shaped {
    _shaped(_QueryChange(.condition(Result { try predicate.queryCondition() })))
  }
}
