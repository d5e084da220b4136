import Foundation

/// Aggregates of the values of paths through collections, as those of ``Results``: `owners.grouped(by:
/// \.city).aggregate(.count, .sum(\.dogs.age))`.
extension GroupAggregate where Value == Int {
  /// The number of values that are not nil; of a collection the number of its elements.
  public static func count<Property>(_ values: (Query<Element>) -> Query<Property>) -> Self {
    Self(.count, way(values)) { $0.count }
  }
}

extension GroupAggregate where Value == Double? {
  /// The mean of the values of a path; nil where there is nothing.
  public static func average<Property>(_ values: (Query<Element>) -> Query<Property>) -> Self {
    Self(.average, way(values)) { try $0.numberAverage() }
  }
}

extension GroupAggregate where Value == Decimal? {
  /// The mean of the decimals of a path; nil where there is nothing.
  public static func average(_ values: (Query<Element>) -> Query<Decimal>) -> Self {
    Self(.average, way(values)) { try $0.decimalAverage() }
  }

  /// The mean of the decimals of a path, which may be nil; nil where there is nothing.
  public static func average(_ values: (Query<Element>) -> Query<Decimal?>) -> Self {
    Self(.average, way(values)) { try $0.decimalAverage() }
  }
}

extension GroupAggregate where Value: AggregatableNumber {
  /// The sum of the values of a path.
  public static func sum(_ values: (Query<Element>) -> Query<Value>) -> Self {
    Self(.sum, way(values)) { try $0.sum(as: Value._columnType.kind).read(as: Value.self) }
  }

  /// The sum of the values of a path, which may be nil.
  public static func sum(_ values: (Query<Element>) -> Query<Value?>) -> Self {
    Self(.sum, way(values)) { try $0.sum(as: Value._columnType.kind).read(as: Value.self) }
  }
}

extension GroupAggregate {
  /// The least value of a path; nil where there is nothing.
  public static func min<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    Self(.minimum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }

  /// The least value of a path, which may be nil; nil where there is nothing.
  public static func min<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    Self(.minimum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }

  /// The greatest value of a path; nil where there is nothing.
  public static func max<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    Self(.maximum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }

  /// The greatest value of a path, which may be nil; nil where there is nothing.
  public static func max<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    Self(.maximum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }
}
