import Foundation

/// A number type that aggregates such as sums and averages accept.
public protocol AggregatableNumber: PersistableScalar {}

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
