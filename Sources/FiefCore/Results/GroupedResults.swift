import Foundation

extension Results {
  /// Groups the objects by the values of some properties, for counting and other aggregates. No object is
  /// created.
  ///
  /// ```swift
  /// for city in try people.grouped(by: \.city).counts() { print(city.key, city.values) }
  /// let large = try people.grouped(by: \.city)
  ///   .aggregate(.count, .average(\.age))
  ///   .filter { $0.values.0 > 100 }
  /// ```
  /// - Parameter keyPaths: properties with single values, also through links to one object.
  public func grouped<each Key: Persistable>(by keyPaths: repeat KeyPath<Element, each Key>)
    -> GroupedResults<Element, repeat each Key>
  {
    var paths: [QueryPath] = []
    let results = describing { _ in
      for keyPath in repeat each keyPaths { paths.append(try QueryPath.of(keyPath)) }
    }
    return GroupedResults(results: results, paths: paths)
  }
}

/// A group of objects with equal values, and the aggregates computed from it.
public struct ResultsGroup<Key, Values> {
  /// The values that the objects of the group share, as a tuple if the group has several keys.
  public let key: Key
  /// The computed aggregates, as a tuple if there are several.
  public let values: Values
}

extension ResultsGroup: Sendable where Key: Sendable, Values: Sendable {}

/// The objects of ``Results`` in groups. Like results, groups are computed each time you use them.
///
/// Groups are sorted by their keys, nil first. The methods return an array: `filter` it to get the effect of
/// `HAVING` in SQL, or sort it by the computed values. Memory is needed for the groups, not for the objects.
public struct GroupedResults<Element: Object, each Key: Persistable>: Sendable {
  let results: Results<Element>
  let paths: [QueryPath]

  /// Returns the number of objects in each group.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func counts() throws -> [ResultsGroup<(repeat each Key), Int>] {
    try aggregate(GroupAggregate<Element, Int>.count)
  }

  /// Returns several aggregates of each group.
  ///
  /// ```swift
  /// let groups = try orders.grouped(by: \.customer?.city).aggregate(.count, .sum(\.total), .max(\.date))
  /// ```
  /// - Throws: ``FiefError`` of code `invalidValue` if a sum does not fit its type; also for a closed store,
  ///   a damaged record, or a query that cannot be answered.
  public func aggregate<each Value>(_ aggregates: repeat GroupAggregate<Element, each Value>) throws
    -> [ResultsGroup<(repeat each Key), (repeat each Value)>]
  {
    var folds: [(RowAggregate, AggregatedValues?)] = []
    for aggregate in repeat each aggregates {
      folds.append((aggregate.aggregate, try aggregate.values?.get()))
    }
    let groups = try RowGroups(results, by: paths, folds)
    return try groups.inOrder.map { group in
      var next = 0
      func key<One: Persistable>(_ type: One.Type) throws -> One {
        defer { next += 1 }
        return try group.key[next].read(as: type)
      }
      let keys = (repeat try key((each Key).self))
      next = 0
      func value<One>(_ aggregate: GroupAggregate<Element, One>) throws -> One {
        defer { next += 1 }
        return try aggregate.value(group.folds[next])
      }
      return ResultsGroup(key: keys, values: (repeat try value(each aggregates)))
    }
  }
}

/// An aggregate to compute for each group of objects.
public struct GroupAggregate<Element: Object, Value>: Sendable {
  let aggregate: RowAggregate
  /// The values to aggregate; `nil` if rows are counted. They are resolved immediately because key paths
  /// cannot be sent to other threads.
  let values: Result<AggregatedValues, any Error>?
  let value: @Sendable (RowFold) throws -> Value

  init(
    _ aggregate: RowAggregate,
    _ values: Result<AggregatedValues, any Error>?,
    _ value: @escaping @Sendable (RowFold) throws -> Value
  ) {
    self.aggregate = aggregate
    self.values = values
    self.value = value
  }

  private static func path(_ keyPath: PartialKeyPath<Element>) -> Result<AggregatedValues, any Error> {
    Result { AggregatedValues(try QueryPath.of(keyPath)) }
  }

  static func way<Property>(
    _ values: (Query<Element>) -> Query<Property>
  ) -> Result<AggregatedValues, any Error> {
    Result { try AggregatedValues(values) }
  }
}

extension GroupAggregate where Value == Int {
  /// The number of objects.
  public static var count: Self { Self(.count, nil) { $0.count } }

  /// Computes the number of objects whose property is not nil.
  public static func count(_ keyPath: PartialKeyPath<Element>) -> Self {
    Self(.count, path(keyPath)) { $0.count }
  }
}

extension GroupAggregate where Value == Double? {
  /// Computes the mean of a property; `nil` if it is nil for all objects.
  @_disfavoredOverload
  public static func average(_ keyPath: PartialKeyPath<Element>) -> Self {
    Self(.average, path(keyPath)) { try $0.numberAverage() }
  }
}

extension GroupAggregate where Value == Decimal? {
  /// Computes the mean of a decimal; `nil` if it is nil for all objects.
  public static func average<Property: Persistable>(_ keyPath: KeyPath<Element, Property>) -> Self
  where Property._Present == Decimal {
    Self(.average, path(keyPath)) { try $0.decimalAverage() }
  }
}

extension GroupAggregate where Value == Date? {
  /// Computes the mean of a date; `nil` if it is nil for all objects.
  public static func average<Property: Persistable>(_ keyPath: KeyPath<Element, Property>) -> Self
  where Property._Present == Date {
    Self(.average, path(keyPath)) { $0.averageDate }
  }
}

extension GroupAggregate where Value: AggregatableNumber {
  /// Computes the sum of a property.
  public static func sum<Property: Persistable>(_ keyPath: KeyPath<Element, Property>) -> Self
  where Property._Present == Value {
    Self(.sum, path(keyPath)) { try $0.sum(as: Value._columnType.kind).read(as: Value.self) }
  }
}

extension GroupAggregate {
  /// Computes the minimum value of a property; `nil` if it is nil for all objects.
  public static func min<Property: Persistable, Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Property>
  ) -> Self where Property._Present == Wrapped, Value == Wrapped? {
    Self(.minimum, path(keyPath)) { try $0.extreme?.read(as: Wrapped.self) }
  }

  /// Computes the maximum value of a property; `nil` if it is nil for all objects.
  public static func max<Property: Persistable, Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Property>
  ) -> Self where Property._Present == Wrapped, Value == Wrapped? {
    Self(.maximum, path(keyPath)) { try $0.extreme?.read(as: Wrapped.self) }
  }
}
