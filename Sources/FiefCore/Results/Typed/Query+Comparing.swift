import Foundation

extension Decimal: _QueryableNumber {}
extension Date: _QueryableNumber {}

extension Query {
  /// Whether it is equal to a value; nil is equal to nil.
  public static func == (query: Query, value: Value) -> Query<Bool> { query.compared(.equal, value) }

  /// Whether it is anything but a value.
  public static func != (query: Query, value: Value) -> Query<Bool> { query.compared(.notEqual, value) }

  /// Whether it is less than a value; nil is not.
  public static func < (query: Query, value: Value) -> Query<Bool> { query.compared(.less, value) }

  /// Whether it is a value or less; nil is not.
  public static func <= (query: Query, value: Value) -> Query<Bool> { query.compared(.lessOrEqual, value) }

  /// Whether it is greater than a value; nil is not.
  public static func > (query: Query, value: Value) -> Query<Bool> { query.compared(.greater, value) }

  /// Whether it is a value or greater; nil is not.
  public static func >= (query: Query, value: Value) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }

  /// Whether two properties are equal.
  public static func == <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.equal, other)
  }

  /// Whether two properties are not equal.
  public static func != <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.notEqual, other)
  }

  /// Whether a property is less than another one.
  public static func < <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.less, other)
  }

  /// Whether a property is less than another one, or equal.
  public static func <= <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.lessOrEqual, other)
  }

  /// Whether a property is greater than another one.
  public static func > <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.greater, other)
  }

  /// Whether a property is greater than another one, or equal.
  public static func >= <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.greaterOrEqual, other)
  }

  /// Whether it is nil: through a link that is nil, a property that is not optional is nil too.
  @_disfavoredOverload
  public static func == (query: Query, value: _QueryNil) -> Query<Bool> {
    Query<Bool>(query.term.tested { .comparison($0, .equal, .value(.null)) })
  }

  /// Whether it is anything but nil.
  @_disfavoredOverload
  public static func != (query: Query, value: _QueryNil) -> Query<Bool> {
    Query<Bool>(query.term.tested { .comparison($0, .notEqual, .value(.null)) })
  }

  func compared(
    _ comparison: QueryComparison,
    _ value: Any,
    _ options: StringOptions = []
  ) -> Query<Bool> {
    if let object = QueryEmbedded.object(in: value) { return compared(comparison, object) }
    return Query<Bool>(term.compared(comparison, constant(value), options.queryOptions))
  }

  /// Whether it is an embedded object with the same values as another one.
  private func compared(_ comparison: QueryComparison, _ object: EmbeddedObject) -> Query<Bool> {
    Query<Bool>(
      term.tested { operand in
        guard case .path(let path) = operand, comparison == .equal || comparison == .notEqual else {
          throw FiefError(.invalidQuery, "Embedded objects are equal, or they are not.")
        }
        let condition = try QueryEmbedded(object).condition(at: path)
        return comparison == .equal ? condition : .not(condition)
      }
    )
  }

  func compared<Other>(
    _ comparison: QueryComparison,
    _ other: Query<Other>,
    _ options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(term.compared(comparison, other.term, options.queryOptions))
  }

  /// Whether it is one of some values.
  public func `in`(_ values: some Sequence<Value>) -> Query<Bool> { isOne(of: values) }

  /// Whether it is one of some values, none of which is nil.
  @_disfavoredOverload
  public func `in`<Wrapped>(_ values: some Sequence<Wrapped>) -> Query<Bool> where Value == Wrapped? {
    isOne(of: values)
  }

  func isOne<Element>(of values: some Sequence<Element>) -> Query<Bool> {
    if QueryEmbedded.isForm(of: Element.self) {
      return values.reduce(Query<Bool>(TypedTerm(term.scopes, value: false))) { $0 || compared(.equal, $1) }
    }
    return Query<Bool>(term.tested { .oneOf($0, try QueryValue.list(of: values)) })
  }

  /// Whether it is in a range.
  public func contains(_ range: ClosedRange<Value>) -> Query<Bool> where Value: Comparable {
    isBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Whether it is in a range.
  public func contains(_ range: Range<Value>) -> Query<Bool> where Value: Comparable {
    isBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  /// Whether it is in a range; nil is in none.
  public func contains<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
  where Value == Wrapped? {
    isBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Whether it is in a range; nil is in none.
  public func contains<Wrapped: Comparable>(_ range: Range<Wrapped>) -> Query<Bool> where Value == Wrapped? {
    isBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  func isBetween(_ lower: Any, _ upper: Any, isClosed: Bool) -> Query<Bool> {
    Query<Bool>(
      term.tested {
        .all([
          .comparison($0, .greaterOrEqual, .value(try QueryValue(lower))),
          .comparison($0, isClosed ? .lessOrEqual : .less, .value(try QueryValue(upper))),
        ])
      }
    )
  }
}
