/// A collection of single values, which can be added up and put in order: a ``List`` or a ``MutableSet`` of numbers,
/// texts, dates.
///
/// ```swift
/// let total = game.scores.sum()
/// let best = game.scores.sorted(ascending: false).prefix(3)
/// ```
/// The values are those that the collection has, saved or not. `min()` and `max()` are Swift's own.
public protocol ValueCollection: Sequence, SendableMetatype where Element: RealmCollectionValue {}

extension List: ValueCollection {}
extension MutableSet: ValueCollection {}

extension ValueCollection where Element: Comparable {
  /// The values in their order, or in its opposite.
  public func sorted(ascending: Bool) -> [Element] {
    sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
  }
}

extension ValueCollection where Element: Hashable {
  /// The values, each once, in the order in which they come first.
  public func distinct() -> [Element] {
    var seen: Set<ExactKey<Element>> = []
    return filter { seen.insert(ExactKey($0)).inserted }
  }
}

extension ValueCollection where Element: AggregatableNumber {
  /// The sum of the values, zero where there are none.
  ///
  /// A sum that does not fit their type is zero, which is reported to the store's event handler; `fetchSum()`
  /// throws instead.
  public func sum() -> Element { ValueFold.reported(self) { try ValueFold.sum(self) } }

  /// The sum of the values, zero where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where it does not fit their type; where the values cannot be read,
  ///   why.
  public func fetchSum() throws -> Element { try ValueFold.read(self) { try ValueFold.sum(self) } }

  /// The mean of the values, nil where there are none.
  ///
  /// An average that cannot be computed is nil, which is reported to the store's event handler;
  /// `fetchAverage()` throws instead.
  public func average() -> Double? { ValueFold.reported(self) { try ValueFold.average(self) } }

  /// The mean of the values, nil where there are none.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage() throws -> Double? { try ValueFold.read(self) { try ValueFold.average(self) } }
}

extension ValueCollection {
  /// The least value that is not nil, nil where there is none.
  public func min<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).min()
  }

  /// The greatest value that is not nil, nil where there is none.
  public func max<Wrapped: Comparable>() -> Wrapped? where Element == Wrapped? {
    compactMap(\.self).max()
  }

  /// The sum of the values that are not nil, zero where there are none or where it does not fit their type.
  public func sum<Number: AggregatableNumber>() -> Number where Element == Number? {
    ValueFold.reported(self) { try ValueFold.sum(compactMap(\.self)) }
  }

  /// The sum of the values that are not nil, zero where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where it does not fit their type; where the values cannot be read,
  ///   why.
  public func fetchSum<Number: AggregatableNumber>() throws -> Number where Element == Number? {
    try ValueFold.read(self) { try ValueFold.sum(compactMap(\.self)) }
  }

  /// The mean of the values that are not nil, nil where there are none.
  public func average<Number: AggregatableNumber>() -> Double? where Element == Number? {
    ValueFold.reported(self) { try ValueFold.average(compactMap(\.self)) }
  }

  /// The mean of the values that are not nil, nil where there are none.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage<Number: AggregatableNumber>() throws -> Double? where Element == Number? {
    try ValueFold.read(self) { try ValueFold.average(compactMap(\.self)) }
  }
}

extension Map {
  /// The sum of the values, zero where there are none or where it does not fit their type.
  public func sum() -> Value where Value: AggregatableNumber {
    ValueFold.reported(self) { try ValueFold.sum(values) }
  }

  /// The sum of the values that are not nil, zero where there are none or where it does not fit their type.
  public func sum<Number: AggregatableNumber>() -> Number where Value == Number? {
    ValueFold.reported(self) { try ValueFold.sum(values.compactMap(\.self)) }
  }

  /// The sum of the values, zero where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where it does not fit their type; where the values cannot be read,
  ///   why.
  public func fetchSum() throws -> Value where Value: AggregatableNumber {
    try ValueFold.read(self) { try ValueFold.sum(values) }
  }

  /// The sum of the values that are not nil, zero where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where it does not fit their type; where the values cannot be read,
  ///   why.
  public func fetchSum<Number: AggregatableNumber>() throws -> Number where Value == Number? {
    try ValueFold.read(self) { try ValueFold.sum(values.compactMap(\.self)) }
  }

  /// The mean of the values, nil where there are none.
  public func average() -> Double? where Value: AggregatableNumber {
    ValueFold.reported(self) { try ValueFold.average(values) }
  }

  /// The mean of the values that are not nil, nil where there are none.
  public func average<Number: AggregatableNumber>() -> Double? where Value == Number? {
    ValueFold.reported(self) { try ValueFold.average(values.compactMap(\.self)) }
  }

  /// The mean of the values, nil where there are none.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage() throws -> Double? where Value: AggregatableNumber {
    try ValueFold.read(self) { try ValueFold.average(values) }
  }

  /// The mean of the values that are not nil, nil where there are none.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage<Number: AggregatableNumber>() throws -> Double? where Value == Number? {
    try ValueFold.read(self) { try ValueFold.average(values.compactMap(\.self)) }
  }

  /// The least value, nil where there is none.
  public func min() -> Value? where Value: Comparable { values.min() }

  /// The greatest value, nil where there is none.
  public func max() -> Value? where Value: Comparable { values.max() }

  /// The least value that is not nil, nil where there is none.
  public func min<Wrapped: Comparable>() -> Wrapped? where Value == Wrapped? {
    values.compactMap(\.self).min()
  }

  /// The greatest value that is not nil, nil where there is none.
  public func max<Wrapped: Comparable>() -> Wrapped? where Value == Wrapped? {
    values.compactMap(\.self).max()
  }

  /// The values in their order, or in its opposite.
  public func sorted(ascending: Bool = true) -> [Value] where Value: Comparable {
    values.sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
  }
}

/// Sums and means of numbers, as queries have them.
enum ValueFold {
  static func sum<Number: AggregatableNumber>(_ numbers: some Sequence<Number>) throws -> Number {
    let kind = Number._columnType.kind
    return try fold(.sum, numbers).sum(as: kind).read(as: Number.self)
  }

  static func average<Number: AggregatableNumber>(_ numbers: some Sequence<Number>) throws -> Double? {
    try fold(.average, numbers).average
  }

  /// The result of `body`, which goes through the elements.
  ///
  /// - Throws: what it throws, and the error of elements that could not be read.
  static func read<Value>(_ collection: Any, _ body: () throws -> Value) throws -> Value {
    guard let collection = collection as? OwnedCollection else { return try body() }
    let (value, failure) = try collection.watching(body)
    if let failure { throw failure }
    return value
  }

  /// The result of `body`; zero where it throws, which is reported to the event handler of the collection's
  /// store. The collection itself reports elements that cannot be read.
  static func reported<Number: AggregatableNumber>(_ collection: Any, _ body: () throws -> Number) -> Number {
    do { return try body() } catch {
      (collection as? OwnedCollection)?.report(error)
      return Number._defaultValue()
    }
  }

  /// The same; nil where it throws.
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
