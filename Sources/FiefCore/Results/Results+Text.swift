extension Results {
  /// Returns the objects that also match a query text. If the text has an order, it replaces the order of the
  /// results. The syntax is described in <doc:QueryLanguage>.
  ///
  /// ```swift
  /// let dogs = store.objects(Dog.self).filter("age > 3 AND name BEGINSWITH[c] %@", "a")
  /// ```
  /// Arguments are values of the query and never part of its text. A text with an error returns results whose
  /// every use fails, as ``Results`` describes; ``query(_:arguments:)`` throws the error at once.
  ///
  /// - Parameters:
  ///   - format: the condition, and clauses such as `SORT(age DESC) LIMIT(20)`.
  ///   - args: the values for `%@` in turn, or for `$0`, `$1`; for `%K`, the name of a property.
  public func filter(_ format: String, _ args: Any...) -> Results { filter(format, variadic: args) }

  /// Returns the objects that also match a query text without arguments; see ``filter(_:_:)``.
  public func filter(_ format: String) -> Results { filter(format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; `nil` for a call without arguments. An empty array
  ///   of type `[Any]` is a list without elements.
  package func filter(_ format: String, variadic args: [Any]?) -> Results {
    do { return adding(try parsed(format, args ?? [], areVariadic: args != nil)) } catch {
      return failing(FiefError.ofQuery(error))
    }
  }

  /// Returns the objects that also match a query text, as ``filter(_:_:)`` does, but throws errors at once.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery` with the position in the text and the expected text,
  ///   `unknownProperty`, `invalidQuery`, `storeClosed`.
  public func query(_ text: String, arguments: [Any] = []) throws -> Results {
    let results = adding(try parsed(text, arguments))
    // Preparing the query finds its errors.
    try results.withQuery { _, _ in }
    return results
  }

  /// Returns the query that a text describes.
  func parsed(_ text: String, _ arguments: [Any], areVariadic: Bool = false) throws -> QueryDescription {
    if let failure { throw failure }
    guard let store = context.store else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    return try QueryTextForm.parse(
      text,
      arguments: try arguments.map { try QueryArgument($0) },
      areVariadic: areVariadic,
      type: try store.binding(of: elementType).table.name,
      schema: QueryTextSchema(tables: store.tables, names: store.queryNames)
    )
  }

  /// Returns these results with the condition, order and limits of a parsed text added.
  private func adding(_ parsed: QueryDescription) -> Results {
    describing { description in
      if let condition = parsed.condition { description.condition = .both(description.condition, condition) }
      if !parsed.order.isEmpty { description.order = parsed.order }
      if !parsed.distinct.isEmpty { description.distinct = parsed.distinct }
      if parsed.offset > 0 { description.offset = parsed.offset }
      if let limit = parsed.limit { description.limit = limit }
    }
  }
}

extension FiefError {
  /// Returns an error of a query as a `FiefError`.
  static func ofQuery(_ error: any Error) -> FiefError {
    error as? FiefError ?? FiefError(.invalidQuery, "The query failed.", underlying: error)
  }
}
