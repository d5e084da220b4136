import Foundation

extension Results {
  /// The place of the first object for which a text is true, nil where there is none; no object is made.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: "age > %@", 30)
  /// ```
  /// An index that cannot be determined is nil, and the event handler of the store gets the error;
  /// ``fetchIndex(matching:arguments:)`` throws instead.
  ///
  /// - Parameters:
  ///   - format: a condition as ``filter(_:_:)`` has it, without clauses.
  ///   - args: the values of `%@` in turn, or for `$0`, `$1`; for `%K` the name of a property.
  public func index(matching format: String, _ args: Any...) -> Int? {
    index(matching: format, variadic: args)
  }

  /// Finds the first object that matches a query text, and returns its index, or nil if no object matches. Creates no object.
  public func index(matching format: String) -> Int? { index(matching: format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; nil for a call without arguments.
  package func index(matching format: String, variadic args: [Any]?) -> Int? {
    reported(nil) { try place(of: try parsed(format, args ?? [], areVariadic: args != nil)) }
  }

  /// The place of the first object for which a text is true, nil where there is none; no object is made.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery` for a text that is no condition, `invalidQuery` for one with
  ///   clauses; also for a closed store, a damaged record, or a query that cannot be answered.
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
        "What is looked for in results is a condition, without clauses.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    return try place(of: condition)
  }

  /// The place of the first object for which a predicate holds, nil where there is none; no object is made.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: #Predicate { $0.age > 30 })
  /// ```
  /// An index that cannot be determined is nil, and the event handler of the store gets the error;
  /// `fetchIndex(matching:)` throws instead.
  public func index(matching predicate: Predicate<Element>) -> Int? {
    reported(nil) { try fetchIndex(matching: predicate) }
  }

  /// The place of the first object for which a predicate holds, nil where there is none; no object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(matching predicate: Predicate<Element>) throws -> Int? {
    try place(of: try predicate.queryCondition())
  }

  /// The objects at some places, in the order of the results; places beyond the end have none.
  ///
  /// Results that cannot be read have no objects, and the event handler of the store gets the reason;
  /// ``fetchObjects(at:)`` throws instead.
  public func objects(at indexes: IndexSet) -> [Element] { reported([]) { try fetchObjects(at: indexes) } }

  /// The objects at some places, in the order of the results; places beyond the end have none.
  ///
  /// The rows between them are read once, though no objects are made of them.
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

  /// The place of the first row that fulfils a condition, which is checked even where there is no row.
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
