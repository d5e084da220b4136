import Foundation

/// Aggregates of a property over the embedded objects; those whose property is nil do not count.
///
/// Aggregates that cannot be computed are zero or nil, and the event handler of the store gets the reason.
extension EmbeddedResults {
  /// The sum of a property, zero where there is no object.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Value {
    sum { try QueryPath.of(keyPath) }
  }

  /// The sum of an optional property, zero where there is no object.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Value {
    sum { try QueryPath.of(keyPath) }
  }

  /// The sum of the property with a name, zero where there is no object.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    sum { QueryPath(keyPath: property) }
  }

  /// The mean of a property, nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).numberAverage() }
  }

  /// The mean of an optional property, nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).numberAverage() }
  }

  /// The mean of the property with a name, nil where there is no object.
  public func average(ofProperty property: String) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath(keyPath: property)).numberAverage() }
  }

  /// The mean of a decimal, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal>) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).decimalAverage() }
  }

  /// The mean of an optional decimal, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal?>) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).decimalAverage() }
  }

  /// The mean of the decimal or integer property with a name, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath(keyPath: property)).decimalAverage() }
  }

  /// The least value of a property, nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(.minimum) { try QueryPath.of(keyPath) }
  }

  /// The least value of an optional property, nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(.minimum) { try QueryPath.of(keyPath) }
  }

  /// The least value of the property with a name, nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    extreme(.minimum) { QueryPath(keyPath: property) }
  }

  /// The greatest value of a property, nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(.maximum) { try QueryPath.of(keyPath) }
  }

  /// The greatest value of an optional property, nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(.maximum) { try QueryPath.of(keyPath) }
  }

  /// The greatest value of the property with a name, nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    extreme(.maximum) { QueryPath(keyPath: property) }
  }

  private func sum<Value: AggregatableNumber>(_ path: () throws -> QueryPath) -> Value {
    reported(Value._defaultValue()) {
      try fold(.sum, of: path()).sum(as: Value._columnType.kind).read(as: Value.self)
    }
  }

  private func extreme<Value: Persistable & RealmCollectionValue>(
    _ aggregate: RowAggregate,
    _ path: () throws -> QueryPath
  ) -> Value? {
    reported(nil) { try fold(aggregate, of: path()).extreme?.read(as: Value.self) }
  }
}
