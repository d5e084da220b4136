import Foundation

extension Results {
  /// Returns the index of the first object that matches a query text, or `nil` if no object matches. No
  /// object is created.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: "age > %@", 30)
  /// ```
  /// If the index cannot be determined, it is `nil` and the store's event handler receives the error;
  /// ``fetchIndex(matching:arguments:)`` throws instead.
  ///
  /// - Parameters:
  ///   - format: a condition as in ``ObjectQuery/filter(_:_:)``, without clauses.
  ///   - args: the values for `%@` in turn, or for `$0`, `$1`; for `%K`, the name of a property.
  public func index(matching format: String, _ args: Any...) -> Int? {
    index(matching: format, variadic: args)
  }

  /// Returns the index of the first object that matches a query text, or `nil` if no object matches. No
  /// object is created.
  public func index(matching format: String) -> Int? { index(matching: format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; `nil` for a call without arguments.
  package func index(matching format: String, variadic args: [Any]?) -> Int? {
    reported(nil) { try place(of: try parsed(format, args ?? [], areVariadic: args != nil)) }
  }

  /// Returns the index of the first object that matches a query text, or `nil` if no object matches. No
  /// object is created.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery` for a text that is not a condition, `invalidQuery` for
  ///   a text with clauses; also for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(matching text: String, arguments: [Any] = []) throws -> Int? {
    try place(of: try parsed(text, arguments))
  }

  private func place(of description: QueryDescription) throws -> Int? {
    var parsed = description
    let condition = parsed.condition ?? .constant(true)
    parsed.condition = nil
    guard parsed == QueryDescription() else {
      throw FiefError(
        .invalidQuery,
        "A search in results takes a condition without clauses.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    return try place(of: condition)
  }

  /// Returns the index of the first object that a predicate accepts, or `nil` if there is no such object. No
  /// object is created.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: #Predicate { $0.age > 30 })
  /// ```
  /// If the index cannot be determined, it is `nil` and the store's event handler receives the error;
  /// `fetchIndex(matching:)` throws instead.
  public func index(matching predicate: Predicate<Element>) -> Int? {
    reported(nil) { try fetchIndex(matching: predicate) }
  }

  /// Returns the index of the first object that a predicate accepts, or `nil` if there is no such object. No
  /// object is created.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(matching predicate: Predicate<Element>) throws -> Int? {
    try place(of: try predicate.queryCondition())
  }

  /// Returns the objects at some indexes, in the order of the results. Indexes out of range are ignored.
  ///
  /// If the results cannot be read, the array is empty and the store's event handler receives the error;
  /// ``fetchObjects(at:)`` throws instead.
  public func objects(at indexes: IndexSet) -> [Element] { reported([]) { try fetchObjects(at: indexes) } }

  /// Returns the objects at some indexes, in the order of the results. Indexes out of range are ignored.
  ///
  /// The rows up to the last index are read once. Objects are created only for the given indexes.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchObjects(at indexes: IndexSet) throws -> [Element] {
    var objects: [Element] = []
    if let rows = try frozenRows() {
      for index in indexes { if let object = try object(at: index, of: rows) { objects.append(object) } }
      return objects
    }
    var place = 0
    let last = indexes.last ?? -1
    try withQuery { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      guard last >= 0 else { return }
      try stream.read(in: running.environment) { row in
        if indexes.contains(place) { objects.append(try running.object(row, as: Element.self)) }
        place += 1
        return place <= last
      }
      try running.prefetcher?.prefetch(objects)
    }
    return objects
  }

  /// Returns the index of the first row that meets a condition. An invalid condition is an error even if
  /// there are no rows.
  func place(of condition: QueryCondition) throws -> Int? {
    try withQuery { query, running in
      let matching = try running.binder.condition(condition)
      let stream = RowStream(query)
      defer { running.note(stream) }
      var place = 0
      var isFound = false
      try stream.read(in: running.environment) { row in
        isFound = try matching.holds(row, in: running.environment)
        if !isFound { place += 1 }
        return !isFound
      }
      return isFound ? place : nil
    }
  }
}
