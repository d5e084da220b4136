/// A collection of single values that can be aggregated and sorted: a ``List`` or a ``MutableSet`` of
/// numbers, texts or dates.
///
/// ```swift
/// let total = game.scores.sum()
/// let best = game.scores.sorted(ascending: false).prefix(3)
/// ```
/// The methods use the current values of the collection, saved or not. `min()` and `max()` are the methods of
/// the standard library.
public protocol ValueCollection: Sequence, SendableMetatype where Element: RealmCollectionValue {}

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

extension ValueCollection where Element: AggregatableNumber {
  /// Returns the sum of the values, or zero if there are no values.
  ///
  /// If the sum does not fit the type, it is zero and the store's event handler receives the error;
  /// `fetchSum()` throws instead.
  public func sum() -> Element { ValueFold.reported(self) { try ValueFold.sum(self) } }

  /// Returns the sum of the values, or zero if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type of the values, and the
  ///   error of values that cannot be read.
  public func fetchSum() throws -> Element { try ValueFold.read(self) { try ValueFold.sum(self) } }

  /// Returns the mean of the values, or `nil` if there are no values.
  ///
  /// If the average cannot be computed, it is `nil` and the store's event handler receives the error;
  /// `fetchAverage()` throws instead.
  public func average() -> Double? { ValueFold.reported(self) { try ValueFold.average(self) } }

  /// Returns the mean of the values, or `nil` if there are no values.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage() throws -> Double? { try ValueFold.read(self) { try ValueFold.average(self) } }
}

extension ValueCollection {
  /// Returns the minimum value that is not nil, or `nil` if there is no such value.
  public func min<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).min()
  }

  /// Returns the maximum value that is not nil, or `nil` if there is no such value.
  public func max<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).max()
  }

  /// Returns the sum of the values that are not nil. It is zero if there are none, or if it does not fit the
  /// type.
  public func sum<Number: AggregatableNumber>() -> Number where Element == Number? {
    ValueFold.reported(self) { try ValueFold.sum(compactMap(\.self)) }
  }

  /// Returns the sum of the values that are not nil, or zero if there are no such values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type of the values, and the
  ///   error of values that cannot be read.
  public func fetchSum<Number: AggregatableNumber>() throws -> Number where Element == Number? {
    try ValueFold.read(self) { try ValueFold.sum(compactMap(\.self)) }
  }

  /// Returns the mean of the values that are not nil, or `nil` if there are no such values.
  public func average<Number: AggregatableNumber>() -> Double? where Element == Number? {
    ValueFold.reported(self) { try ValueFold.average(compactMap(\.self)) }
  }

  /// Returns the mean of the values that are not nil, or `nil` if there are no such values.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage<Number: AggregatableNumber>() throws -> Double? where Element == Number? {
    try ValueFold.read(self) { try ValueFold.average(compactMap(\.self)) }
  }
}

extension Map {
  /// Returns the sum of the values. It is zero if there are no values, or if it does not fit the type.
  public func sum() -> Value where Value: AggregatableNumber {
    ValueFold.reported(self) { try ValueFold.sum(values) }
  }

  /// Returns the sum of the values that are not nil. It is zero if there are none, or if it does not fit the
  /// type.
  public func sum<Number: AggregatableNumber>() -> Number where Value == Number? {
    ValueFold.reported(self) { try ValueFold.sum(values.compactMap(\.self)) }
  }

  /// Returns the sum of the values, or zero if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type of the values, and the
  ///   error of values that cannot be read.
  public func fetchSum() throws -> Value where Value: AggregatableNumber {
    try ValueFold.read(self) { try ValueFold.sum(values) }
  }

  /// Returns the sum of the values that are not nil, or zero if there are no such values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type of the values, and the
  ///   error of values that cannot be read.
  public func fetchSum<Number: AggregatableNumber>() throws -> Number where Value == Number? {
    try ValueFold.read(self) { try ValueFold.sum(values.compactMap(\.self)) }
  }

  /// Returns the mean of the values, or `nil` if there are no values.
  public func average() -> Double? where Value: AggregatableNumber {
    ValueFold.reported(self) { try ValueFold.average(values) }
  }

  /// Returns the mean of the values that are not nil, or `nil` if there are no such values.
  public func average<Number: AggregatableNumber>() -> Double? where Value == Number? {
    ValueFold.reported(self) { try ValueFold.average(values.compactMap(\.self)) }
  }

  /// Returns the mean of the values, or `nil` if there are no values.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage() throws -> Double? where Value: AggregatableNumber {
    try ValueFold.read(self) { try ValueFold.average(values) }
  }

  /// Returns the mean of the values that are not nil, or `nil` if there are no such values.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage<Number: AggregatableNumber>() throws -> Double? where Value == Number? {
    try ValueFold.read(self) { try ValueFold.average(values.compactMap(\.self)) }
  }

  /// Returns the minimum value, or `nil` if there are no values.
  public func min() -> Value? where Value: Comparable { values.min() }

  /// Returns the maximum value, or `nil` if there are no values.
  public func max() -> Value? where Value: Comparable { values.max() }

  /// Returns the minimum value that is not nil, or `nil` if there is no such value.
  public func min<Wrapped: Comparable>() -> Wrapped? where Value == Wrapped? {
    values.compactMap(\.self).min()
  }

  /// Returns the maximum value that is not nil, or `nil` if there is no such value.
  public func max<Wrapped: Comparable>() -> Wrapped? where Value == Wrapped? {
    values.compactMap(\.self).max()
  }

  /// Returns the values in ascending or descending order.
  public func sorted(ascending: Bool = true) -> [Value] where Value: Comparable {
    values.sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
  }
}

/// Sums and means of numbers, computed as in queries.
enum ValueFold {
  static func sum<Number: AggregatableNumber>(_ numbers: some Sequence<Number>) throws -> Number {
    let kind = Number._columnType.kind
    return try fold(.sum, numbers).sum(as: kind).read(as: Number.self)
  }

  static func average<Number: AggregatableNumber>(_ numbers: some Sequence<Number>) throws -> Double? {
    try fold(.average, numbers).average
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

  private static func fold<Number: AggregatableNumber>(
    _ aggregate: RowAggregate,
    _ numbers: some Sequence<Number>
  ) throws -> RowFold {
    let kind = Number._columnType.kind
    var fold = RowFold(aggregate, kind: kind)
    var writer = ValueWriter()
    for number in numbers {
      writer.removeAll()
      try number._append(to: &writer)
      try writer.withBytes { fold.add(try RowValue($0, kind)) }
    }
    return fold
  }
}
