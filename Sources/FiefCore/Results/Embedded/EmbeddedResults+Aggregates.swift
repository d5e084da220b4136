import Foundation

/// Aggregates of a property over the embedded objects. Objects whose property is nil are ignored.
///
/// If an aggregate cannot be computed, it is zero or `nil`, and the store's event handler receives the error.
extension EmbeddedResults {
  /// Returns the sum of a property, or zero if there are no objects.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Value {
    sum { try QueryPath.of(keyPath) }
  }

  /// Returns the sum of an optional property, or zero if no object has a value.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Value {
    sum { try QueryPath.of(keyPath) }
  }

  /// Returns the sum of the named property, or zero if no object has a value.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    sum { QueryPath(keyPath: property) }
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).numberAverage() }
  }

  /// Returns the mean of an optional property, or `nil` if no object has a value.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).numberAverage() }
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  public func average(ofProperty property: String) -> Double? {
    reported(nil) { try fold(.average, of: QueryPath(keyPath: property)).numberAverage() }
  }

  /// Returns the mean of a decimal as a decimal, or `nil` if there are no objects.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal>) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).decimalAverage() }
  }

  /// Returns the mean of an optional decimal as a decimal, or `nil` if no object has a value.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal?>) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath.of(keyPath)).decimalAverage() }
  }

  /// Returns the mean of the named decimal or integer property, as a decimal.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    reported(nil) { try fold(.average, of: QueryPath(keyPath: property)).decimalAverage() }
  }

  /// Returns the minimum value of a property, or `nil` if there are no objects.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(.minimum) { try QueryPath.of(keyPath) }
  }

  /// Returns the minimum value of an optional property, or `nil` if no object has a value.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(.minimum) { try QueryPath.of(keyPath) }
  }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    extreme(.minimum) { QueryPath(keyPath: property) }
  }

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(.maximum) { try QueryPath.of(keyPath) }
  }

  /// Returns the maximum value of an optional property, or `nil` if no object has a value.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(.maximum) { try QueryPath.of(keyPath) }
  }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
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
