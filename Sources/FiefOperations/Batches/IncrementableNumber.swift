// The underscored requirements are for the library alone; their protocol says what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import FiefCore
import Foundation

/// A number that a field operation can add to, or an optional one.
///
/// Integers grow by an `Int`, floating-point numbers by a `Double`, decimal ones by a `Decimal`.
public protocol IncrementableNumber: Persistable {
  /// What is added.
  associatedtype Amount: ExpressibleByIntegerLiteral
  static func _operand(_ amount: Amount) -> _FieldAmount
}

/// A number to add, as the library keeps it.
public struct _FieldAmount: Sendable {
  let amount: FieldIncrement.Amount
}

extension IncrementableNumber where Amount == Int {
  public static func _operand(_ amount: Int) -> _FieldAmount { _FieldAmount(amount: .integer(Int64(amount))) }
}

extension IncrementableNumber where Amount == Double {
  public static func _operand(_ amount: Double) -> _FieldAmount { _FieldAmount(amount: .floating(amount)) }
}

extension IncrementableNumber where Amount == Decimal {
  public static func _operand(_ amount: Decimal) -> _FieldAmount { _FieldAmount(amount: .decimal(amount)) }
}

extension Int: IncrementableNumber { public typealias Amount = Int }
extension Int8: IncrementableNumber { public typealias Amount = Int }
extension Int16: IncrementableNumber { public typealias Amount = Int }
extension Int32: IncrementableNumber { public typealias Amount = Int }
extension Int64: IncrementableNumber { public typealias Amount = Int }
extension UInt: IncrementableNumber { public typealias Amount = Int }
extension UInt8: IncrementableNumber { public typealias Amount = Int }
extension UInt16: IncrementableNumber { public typealias Amount = Int }
extension UInt32: IncrementableNumber { public typealias Amount = Int }
extension UInt64: IncrementableNumber { public typealias Amount = Int }
extension Float: IncrementableNumber { public typealias Amount = Double }
extension Double: IncrementableNumber { public typealias Amount = Double }
extension Decimal: IncrementableNumber { public typealias Amount = Decimal }
extension AnyRealmValue: IncrementableNumber { public typealias Amount = Int }

extension Optional: IncrementableNumber where Wrapped: IncrementableNumber & RealmCollectionValue {
  public typealias Amount = Wrapped.Amount
  public static func _operand(_ amount: Wrapped.Amount) -> _FieldAmount { Wrapped._operand(amount) }
}
