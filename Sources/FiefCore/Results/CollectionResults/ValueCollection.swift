/// A collection of single values that can be aggregated and sorted: a ``List`` or a ``MutableSet`` of
/// numbers, texts or dates.
///
/// ```swift
/// let total = game.scores.sum()
/// let best = game.scores.sorted(ascending: false).prefix(3)
/// ```
/// The methods use the current values of the collection, whether they are saved or not. `min()` and `max()`
/// are the methods of the standard library.
public protocol ValueCollection: Sequence, ValueAggregates, SendableMetatype
where Element: RealmCollectionValue, _Values == Self {}

extension List: ValueCollection {}
extension MutableSet: ValueCollection {}

extension ValueCollection where Element: Comparable {
  /// Returns the values in ascending or descending order.
  public func sorted(ascending: Bool) -> [Element] {
    sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
  }
}

extension ValueCollection where Element: Hashable {
  /// Returns each value once, in the order of the first occurrences.
  public func distinct() -> [Element] {
    var seen: Set<ExactKey<Element>> = []
    return filter { seen.insert(ExactKey($0)).inserted }
  }
}

extension ValueCollection {
  /// The collection itself.
  public var _values: Self { self }

  /// Returns the minimum value that is not nil, or `nil` if there is no such value.
  public func min<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).min()
  }

  /// Returns the maximum value that is not nil, or `nil` if there is no such value.
  public func max<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).max()
  }
}

extension Map: ValueAggregates {
  /// The values of all keys.
  public var _values: [Value] { values }

  /// Returns the minimum value that is not nil, or `nil` if there is no such value.
  public func min() -> Value._Present? where Value: Persistable, Value._Present: Comparable {
    presentValues().min()
  }

  /// Returns the maximum value that is not nil, or `nil` if there is no such value.
  public func max() -> Value._Present? where Value: Persistable, Value._Present: Comparable {
    presentValues().max()
  }

  /// Returns the minimum value, or `nil` if the map is empty.
  @_disfavoredOverload
  public func min() -> Value? where Value: Comparable { values.min() }

  /// Returns the maximum value, or `nil` if the map is empty.
  @_disfavoredOverload
  public func max() -> Value? where Value: Comparable { values.max() }

  /// Returns the values other than nil. If no value can be nil, returns the array itself: casting each value
  /// would take longer than comparing it.
  private func presentValues() -> [Value._Present] where Value: Persistable {
    if Value.self == Value._Present.self, let values = values as? [Value._Present] { return values }
    return values.compactMap { $0 as? Value._Present }
  }

  /// Returns the values in ascending or descending order.
  public func sorted(ascending: Bool = true) -> [Value] where Value: Comparable {
    values.sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
  }
}

/// Sums and means of numbers, computed as in queries.
enum ValueFold {
  static func sum<Value: Persistable, Number: AggregatableNumber>(_ values: some Sequence<Value>) throws
    -> Number
  where Value._Present == Number {
    try fold(.sum, values).sum(as: Number._columnType.kind).read(as: Number.self)
  }

  /// Returns the result of `body`, which iterates over the elements.
  ///
  /// - Throws: the error of `body`, and the error of elements that could not be read.
  static func read<Value>(_ collection: Any, _ body: () throws -> Value) throws -> Value {
    guard let collection = collection as? OwnedCollection else { return try body() }
    let (value, failure) = try collection.watching(body)
    if let failure { throw failure }
    return value
  }

  /// Returns the result of `body`. If `body` throws, returns zero and reports the error to the event handler
  /// of the collection's store. The collection itself reports elements that cannot be read.
  static func reported<Number: AggregatableNumber>(_ collection: Any, _ body: () throws -> Number) -> Number {
    do { return try body() } catch {
      (collection as? OwnedCollection)?.report(error)
      return Number._defaultValue()
    }
  }

  /// Returns the result of `body`. If `body` throws, returns `nil` and reports the error.
  static func reported(_ collection: Any, _ body: () throws -> Double?) -> Double? {
    do { return try body() } catch {
      (collection as? OwnedCollection)?.report(error)
      return nil
    }
  }

  /// Adds the values that are not nil.
  static func fold<Value: Persistable>(_ aggregate: RowAggregate, _ values: some Sequence<Value>) throws
    -> RowFold
  {
    let kind = Value._columnType.kind
    var fold = RowFold(aggregate, kind: kind)
    var writer = ValueWriter()
    for value in values where !value._isNil {
      writer.removeAll()
      try value._append(to: &writer)
      try writer.withBytes { fold.add(try RowValue($0, kind)) }
    }
    return fold
  }
}
