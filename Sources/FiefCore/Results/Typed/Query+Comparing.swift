import Foundation

extension Decimal: _QueryableNumber {}
extension Date: _QueryableNumber {}

extension Query {
  /// Tests whether the property equals a value. Nil equals nil.
  public static func == (query: Query, value: Value) -> Query<Bool> { query.compared(.equal, value) }

  /// Tests whether the property differs from a value.
  public static func != (query: Query, value: Value) -> Query<Bool> { query.compared(.notEqual, value) }

  /// Tests whether the property is less than a value; false for nil.
  public static func < (query: Query, value: Value) -> Query<Bool> { query.compared(.less, value) }

  /// Tests whether the property is less than or equal to a value; false for nil.
  public static func <= (query: Query, value: Value) -> Query<Bool> { query.compared(.lessOrEqual, value) }

  /// Tests whether the property is greater than a value; false for nil.
  public static func > (query: Query, value: Value) -> Query<Bool> { query.compared(.greater, value) }

  /// Tests whether the property is greater than or equal to a value; false for nil.
  public static func >= (query: Query, value: Value) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }

  /// Tests whether two properties are equal.
  public static func == <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.equal, other)
  }

  /// Tests whether two properties differ.
  public static func != <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.notEqual, other)
  }

  /// Tests whether a property is less than another property.
  public static func < <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.less, other)
  }

  /// Tests whether a property is less than or equal to another property.
  public static func <= <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.lessOrEqual, other)
  }

  /// Tests whether a property is greater than another property.
  public static func > <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.greater, other)
  }

  /// Tests whether a property is greater than or equal to another property.
  public static func >= <Other>(query: Query, other: Query<Other>) -> Query<Bool> {
    query.compared(.greaterOrEqual, other)
  }

  /// Tests whether the property is nil. If a link on the path is nil, a required property counts as nil too.
  @_disfavoredOverload
  public static func == (query: Query, value: _QueryNil) -> Query<Bool> {
    Query<Bool>(query.term.tested { .comparison($0, .equal, .value(.null)) })
  }

  /// Tests whether the property is not nil.
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

  /// Tests whether the property is an embedded object with the same values as another object.
  private func compared(_ comparison: QueryComparison, _ object: EmbeddedObject) -> Query<Bool> {
    Query<Bool>(
      term.tested { operand in
        guard case .path(let path) = operand, comparison == .equal || comparison == .notEqual else {
          throw FiefError(.invalidQuery, "Embedded objects support only == and !=.")
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

  /// Tests whether the property is one of the given values.
  public func `in`(_ values: some Sequence<Value>) -> Query<Bool> { isOne(of: values) }

  /// Tests whether an optional property is one of the given values, which are not optional.
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

  /// Tests whether the property is in a range.
  public func contains(_ range: ClosedRange<Value>) -> Query<Bool> where Value: Comparable {
    isBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Tests whether the property is in a range.
  public func contains(_ range: Range<Value>) -> Query<Bool> where Value: Comparable {
    isBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  /// Tests whether the property is in a range; false for nil.
  public func contains<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
  where Value == Wrapped? {
    isBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Tests whether the property is in a range; false for nil.
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
