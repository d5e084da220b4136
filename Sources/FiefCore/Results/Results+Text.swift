extension Results {
  /// Returns the objects that also match a query text, as ``ObjectQuery/filter(_:_:)`` does, but throws
  /// errors at once.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery` with the position in the text and the expected text,
  ///   `unknownProperty`, `invalidQuery`, `storeClosed`.
  public func query(_ text: String, arguments: [Any] = []) throws -> Results {
    let added = try parsed(text, arguments)
    let results = describing { $0.add(added) }
    // Preparing the query detects its errors.
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
}

extension QueryDescription {
  /// Adds the condition, the order and the limits of a parsed text.
  mutating func add(_ parsed: QueryDescription) {
    if let added = parsed.condition { condition = .both(condition, added) }
    if !parsed.order.isEmpty { order = parsed.order }
    if !parsed.distinct.isEmpty { distinct = parsed.distinct }
    if parsed.offset > 0 { offset = parsed.offset }
    if let added = parsed.limit { limit = added }
  }
}

extension FiefError {
  /// Returns an error of a query as a `FiefError`.
  static func ofQuery(_ error: any Error) -> FiefError {
    error as? FiefError ?? FiefError(.invalidQuery, "The query failed.", underlying: error)
  }
}
