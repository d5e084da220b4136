// The underscored requirements are internal to the library; the comment on their protocol describes them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import FiefCore
import Foundation

/// A number, or an optional number, to which a field operation can add an amount.
///
/// Integers are incremented by an `Int`, floating-point numbers by a `Double` and decimals by a `Decimal`.
public protocol IncrementableNumber: Persistable {
  /// The type of the amount that is added.
  associatedtype Amount: ExpressibleByIntegerLiteral
  static func _operand(_ amount: Amount) -> _FieldAmount
}

/// An amount to add, in the library's internal representation.
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
