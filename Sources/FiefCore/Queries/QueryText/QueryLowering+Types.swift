// Comparisons of the types of the values in `AnyRealmValue`s: `any.@type == 'string'`.

extension QueryLowering {
  /// Returns the condition that a value has, or does not have, a type.
  func typed(
    _ name: QueryOperand,
    _ comparison: QueryComparison,
    _ other: QueryOperand,
    _ options: QueryTextOptions,
    at start: Int
  ) throws -> QueryCondition {
    guard comparison == .equal || comparison == .notEqual else { throw noTypeNames(at: start) }
    if options.isEmpty, case .typeName = other { return .comparison(name, comparison, other) }
    return typed(name, comparison, try typeNames(other, options, at: start))
  }

  /// - Parameter comparison: `equal` if the value must have one of the types, `notEqual` if it must have any
  ///   other type.
  func typed(_ name: QueryOperand, _ comparison: QueryComparison, _ names: [String]) -> QueryCondition {
    if names.count == 1 { return .comparison(name, comparison, .value(.string(names[0]))) }
    let condition = QueryCondition.oneOf(name, names.map { .string($0) })
    return comparison == .equal ? condition : .not(condition)
  }

  /// Returns the type names to which a text refers.
  func typeNames(_ operand: QueryOperand, _ options: QueryTextOptions, at start: Int) throws -> [String] {
    guard options.isEmpty, case .value(.string(let text)) = operand, let names = TypeNameOperand.names(text)
    else { throw noTypeNames(at: start) }
    return names
  }

  private func noTypeNames(at start: Int) -> FiefError {
    source.error(
      .invalidQuery,
      "The type of a value supports only ==, != and IN with type names.",
      at: start,
      expected: """
        ==, != or IN, and 'null', 'bool', 'int', 'double' (which floats are too), 'decimal', 'numeric', 'string', 'binary', \
        'date', 'uuid', 'objectId', 'list', 'dictionary' or 'object'
        """
    )
  }

  func noTypeName(_ type: ColumnType, at start: Int) -> FiefError {
    source.error(
      .invalidQuery,
      "Only values of any type have a type name.",
      at: start,
      found: "a value of type \(type)",
      expected: "a value of any type before @type"
    )
  }
}
