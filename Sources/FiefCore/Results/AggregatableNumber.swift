import Foundation

/// A number type that aggregates such as sums and averages accept.
public protocol AggregatableNumber: PersistableScalar, _AveragedValue where _Mean == Double {}

/// A type whose values have a mean: a number or a date.
public protocol _AveragedValue: Persistable {
  /// The type of the mean.
  associatedtype _Mean
  /// Returns the mean from the mean of the stored numbers.
  static func _mean(_ stored: Double) -> _Mean
}

extension AggregatableNumber {
  /// Returns the mean.
  public static func _mean(_ stored: Double) -> Double { stored }
}

extension Date: _AveragedValue {
  /// Returns the date of a time in seconds.
  public static func _mean(_ stored: Double) -> Date { Date(timeIntervalSinceReferenceDate: stored) }
}

extension Int: AggregatableNumber {}
extension Int8: AggregatableNumber {}
extension Int16: AggregatableNumber {}
extension Int32: AggregatableNumber {}
extension Int64: AggregatableNumber {}
extension UInt: AggregatableNumber {}
extension UInt8: AggregatableNumber {}
extension UInt16: AggregatableNumber {}
extension UInt32: AggregatableNumber {}
extension UInt64: AggregatableNumber {}
extension Float: AggregatableNumber {}
extension Double: AggregatableNumber {}
extension Decimal: AggregatableNumber {}
