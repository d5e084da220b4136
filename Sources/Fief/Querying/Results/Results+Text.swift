extension Results {
  /// The objects for which a text is true too, in the text's order where it has one: see docs/query-language.md.
  ///
  /// ```swift
  /// let dogs = store.objects(Dog.self).filter("age > 3 AND name BEGINSWITH[c] %@", "a")
  /// ```
  /// The arguments are values of the query and never parts of its text. A text that is wrong gives results whose
  /// every use fails: see ``Results`` for what that means; ``query(_:arguments:)`` says so at once.
  ///
  /// - Parameters:
  ///   - format: the condition, and clauses such as `SORT(age DESC) LIMIT(20)`.
  ///   - args: what stands for `%@` in turn, or for `$0`, `$1`; for `%K` the name of a property.
  public func filter(_ format: String, _ args: Any...) -> Results {
    do { return try query(format, arguments: args) } catch {
      return failing(FiefError.ofQuery(error))
    }
  }

  /// The objects for which a text is true too, as ``filter(_:_:)`` finds them; what is wrong with it is thrown.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery` with the place in the text and what was expected there,
  ///   `unknownProperty`, `invalidQuery`, `storeClosed`.
  public func query(_ text: String, arguments: [Any] = []) throws -> Results {
    guard let store = context.store else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    if let failure { throw failure }
    let binding = try store.binding(of: Element.self)
    let parsed = try QueryTextForm.parse(
      text,
      arguments: try arguments.map { try QueryArgument($0) },
      type: binding.table.name,
      schema: QueryTextSchema(tables: store.tables, names: store.queryNames)
    )
    if let condition = parsed.condition {
      _ = try QueryBinder(tables: store.tables, table: binding.table, names: store.queryNames)
        .condition(condition)
    }
    return adding(parsed)
  }

  /// What a text asks for, besides what is asked for already.
  private func adding(_ parsed: QueryDescription) -> Results {
    var results = self
    if let condition = parsed.condition {
      results.description.condition = .both(description.condition, condition)
    }
    if !parsed.order.isEmpty { results.description.order = parsed.order }
    if !parsed.distinct.isEmpty { results.description.distinct = parsed.distinct }
    if parsed.offset > 0 { results.description.offset = parsed.offset }
    if let limit = parsed.limit { results.description.limit = limit }
    return results
  }
}

extension FiefError {
  /// An error of a query as this library's own.
  static func ofQuery(_ error: any Error) -> FiefError {
    error as? FiefError ?? FiefError(.invalidQuery, "The query cannot be answered.", underlying: error)
  }
}
