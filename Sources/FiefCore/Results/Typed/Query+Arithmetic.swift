// The operators come second to all others, so that the compiler need not consider them in the application's own
// calculations: of these, some take it long enough already.
extension Query where Value: _QueryableNumber {
  /// The sum of two properties; nil where one of them is, or where it is too large.
  @_disfavoredOverload
  public static func + <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.add, other.term)
  }

  /// The sum of a property and a number.
  @_disfavoredOverload
  public static func + (query: Query, value: Value) -> Query {
    query.calculated(.add, query.constant(value))
  }

  /// The difference of two properties.
  @_disfavoredOverload
  public static func - <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.subtract, other.term)
  }

  /// The difference of a property and a number.
  @_disfavoredOverload
  public static func - (query: Query, value: Value) -> Query {
    query.calculated(.subtract, query.constant(value))
  }

  /// The product of two properties.
  @_disfavoredOverload
  public static func * <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.multiply, other.term)
  }

  /// The product of a property and a number.
  @_disfavoredOverload
  public static func * (query: Query, value: Value) -> Query {
    query.calculated(.multiply, query.constant(value))
  }

  /// The quotient of two properties, of integers without the fraction; nil for a division by zero.
  @_disfavoredOverload
  public static func / <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.divide, other.term)
  }

  /// The quotient of a property and a number.
  @_disfavoredOverload
  public static func / (query: Query, value: Value) -> Query {
    query.calculated(.divide, query.constant(value))
  }

  /// The remainder of a division of integers, with the sign of the first.
  @_disfavoredOverload
  public static func % <Other: _QueryableNumber>(query: Query, other: Query<Other>) -> Query {
    query.calculated(.remainder, other.term)
  }

  /// The remainder of a division by a number.
  @_disfavoredOverload
  public static func % (query: Query, value: Value) -> Query {
    query.calculated(.remainder, query.constant(value))
  }

  /// The number with the other sign.
  @_disfavoredOverload
  public static prefix func - (query: Query) -> Query { Query(query.term.map { .negative($0) }) }

  private func calculated(_ operation: QueryArithmetic, _ other: TypedTerm) -> Query {
    Query(term.combined(with: other) { .arithmetic($0, operation, $1) })
  }

  /// The least value of a path through a collection: `$0.dogs.age.min`; nil where there is nothing.
  public var min: Query { aggregated(.minimum) }

  /// The greatest value of a path through a collection; nil where there is nothing.
  public var max: Query { aggregated(.maximum) }

  /// The sum of the values of a path through a collection; 0 where there is nothing.
  public var sum: Query { aggregated(.sum) }

  /// The average of the values of a path through a collection; nil where there is nothing.
  public var avg: Query<Double?> { aggregated(.average) }

  private func aggregated<Result>(_ aggregate: QueryAggregate) -> Query<Result> {
    Query<Result>(
      term.leaving { collection, operand in
        guard case .path(let path) = operand, path.scope == 0 else {
          throw FiefError(.invalidQuery, "Only properties of elements have an aggregate.")
        }
        return .aggregate(aggregate, collection, path.steps.isEmpty ? nil : path)
      }
    )
  }
}
