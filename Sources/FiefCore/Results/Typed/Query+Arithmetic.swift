// The operators are disfavored, so that the compiler does not consider them in the application's own
// calculations, some of which already take long to type-check.
extension Query where Value: _QueryableNumber {
  /// Returns the sum of two properties; nil if one of them is nil or the sum is too large.
  @_disfavoredOverload
  public static func + <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.add, other.term)
  }

  /// Returns the sum of a property and a number.
  @_disfavoredOverload
  public static func + (query: Query, value: Value) -> Query {
    query.calculated(.add, query.constant(value))
  }

  /// Returns the difference of two properties.
  @_disfavoredOverload
  public static func - <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.subtract, other.term)
  }

  /// Returns the difference of a property and a number.
  @_disfavoredOverload
  public static func - (query: Query, value: Value) -> Query {
    query.calculated(.subtract, query.constant(value))
  }

  /// Returns the product of two properties.
  @_disfavoredOverload
  public static func * <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.multiply, other.term)
  }

  /// Returns the product of a property and a number.
  @_disfavoredOverload
  public static func * (query: Query, value: Value) -> Query {
    query.calculated(.multiply, query.constant(value))
  }

  /// Returns the quotient of two properties. For integers it has no fraction. A division by zero results in
  /// nil.
  @_disfavoredOverload
  public static func / <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.divide, other.term)
  }

  /// Returns the quotient of a property and a number.
  @_disfavoredOverload
  public static func / (query: Query, value: Value) -> Query {
    query.calculated(.divide, query.constant(value))
  }

  /// Returns the remainder of a division of integers, with the sign of the dividend.
  @_disfavoredOverload
  public static func % <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.remainder, other.term)
  }

  /// Returns the remainder of a division by a number.
  @_disfavoredOverload
  public static func % (query: Query, value: Value) -> Query {
    query.calculated(.remainder, query.constant(value))
  }

  /// Returns the negated number.
  @_disfavoredOverload
  public static prefix func - (query: Query) -> Query { Query(query.term.map { .negative($0) }) }

  private func calculated(_ operation: QueryArithmetic, _ other: TypedTerm) -> Query {
    Query(term.combined(with: other) { .arithmetic($0, operation, $1) })
  }

  /// The minimum value of a path through a collection: `$0.dogs.age.min`; nil if there are no values.
  public var min: Query { aggregated(.minimum) }

  /// The maximum value of a path through a collection; nil if there are no values.
  public var max: Query { aggregated(.maximum) }

  /// The sum of the values of a path through a collection; 0 if there are no values.
  public var sum: Query { aggregated(.sum) }

  /// The average of the values of a path through a collection; nil if there are no values.
  public var avg: Query<Double?> { aggregated(.average) }

  private func aggregated<Result>(_ aggregate: QueryAggregate) -> Query<Result> {
    Query<Result>(
      term.leaving { collection, operand in
        guard case .path(let path) = operand, path.scope == 0 else {
          throw FiefError(.invalidQuery, "Only properties of elements support aggregates.")
        }
        return .aggregate(aggregate, collection, path.steps.isEmpty ? nil : path)
      }
    )
  }
}
