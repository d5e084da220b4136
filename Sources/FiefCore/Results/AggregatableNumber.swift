import Foundation

/// A number that a sum of properties can be asked for as.
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
