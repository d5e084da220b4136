import Foundation

/// Aggregates of values at paths through collections, as in ``Results``:
/// `owners.grouped(by: \.city).aggregate(.count, .sum(\.dogs.age))`.
extension GroupAggregate where Value == Int {
  /// Computes the number of values that are not nil. For a collection this is the number of its elements.
  public static func count<Property>(_ values: (Query<Element>) -> Query<Property>) -> Self {
    Self(.count, way(values)) { $0.count }
  }
}

extension GroupAggregate where Value == Double? {
  /// Computes the mean of the values at a path; `nil` if there are no values.
  public static func average<Property>(_ values: (Query<Element>) -> Query<Property>) -> Self {
    Self(.average, way(values)) { try $0.numberAverage() }
  }
}

extension GroupAggregate where Value == Decimal? {
  /// Computes the mean of the decimals at a path; `nil` if there are no values.
  public static func average<Property: Persistable>(_ values: (Query<Element>) -> Query<Property>) -> Self
  where Property._Present == Decimal {
    Self(.average, way(values)) { try $0.decimalAverage() }
  }
}

extension GroupAggregate where Value: AggregatableNumber {
  /// Computes the sum of the values at a path that are not nil.
  public static func sum<Property: Persistable>(_ values: (Query<Element>) -> Query<Property>) -> Self
  where Property._Present == Value {
    Self(.sum, way(values)) { try $0.sum(as: Value._columnType.kind).read(as: Value.self) }
  }
}

extension GroupAggregate {
  /// Computes the minimum of the values at a path that are not nil; `nil` if there are no values.
  public static func min<Property: Persistable, Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Property>
  ) -> Self where Property._Present == Wrapped, Value == Wrapped? {
    Self(.minimum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }

  /// Computes the maximum of the values at a path that are not nil; `nil` if there are no values.
  public static func max<Property: Persistable, Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Property>
  ) -> Self where Property._Present == Wrapped, Value == Wrapped? {
    Self(.maximum, way(values)) { try $0.extreme?.read(as: Wrapped.self) }
  }
}
