import FiefCore
import Foundation

/// The change of a property that is named by a text, as documents and messages name it.
///
/// ```swift
/// try batch.update(Player.self, forPrimaryKey: 7, ["points": .increment(-10), "seen": .timestamp, "address.city": "Bonn"])
/// ```
/// Where the class is known, ``FieldChange`` does the same by key paths. A change is applied to the value that the property has
/// at the commit, so that others cannot be lost.
///
/// It is not `Sendable`, since an ``AnyRealmValue`` may have an object in it. Give it to a ``WriteBatch`` in the task that makes it: a
/// batch is `Sendable`.
public enum FieldValue {
  /// Another value; nil is `.value(.none)`. A link is given by its object or by the primary key of one.
  case value(AnyRealmValue)
  /// Adds an integer to a number; nil counts as 0.
  case increment(Int)
  /// Adds a floating-point number to a number; nil counts as 0.
  case incrementBy(Double)
  /// Adds a decimal number to a number; nil counts as 0.
  case incrementByDecimal(Decimal)
  /// The time of the commit by the store's clock, the same in all objects of a batch.
  case timestamp
  /// Adds those of the elements that a list or a set does not have.
  case union([AnyRealmValue])
  /// Removes the elements from a list or a set, wherever they are in it.
  case remove([AnyRealmValue])
  /// The value of a new object of the class: its default, or nil.
  case delete
}

extension FieldValue: ExpressibleByIntegerLiteral {
  /// Makes a value that is an integer.
  public init(integerLiteral value: Int) { self = .value(.int(value)) }
}

extension FieldValue: ExpressibleByFloatLiteral {
  /// Makes a value that is a 64-bit floating-point number.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
}

extension FieldValue: ExpressibleByBooleanLiteral {
  /// Makes a value that is a truth value.
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
}

extension FieldValue: ExpressibleByStringInterpolation {
  /// Makes a value that is a text.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
}
