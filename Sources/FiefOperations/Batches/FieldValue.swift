import FiefCore
import Foundation

/// The change of a property that is identified by its name, for data such as documents and messages.
///
/// ```swift
/// let fields: [String: FieldValue] = ["points": .increment(-10), "seen": .timestamp, "address.city": "Bonn"]
/// try batch.update(Player.self, forPrimaryKey: 7, fields)
/// ```
/// If the class is known, ``FieldChange`` does the same with key paths. A change is applied to the property's
/// value at the commit, so concurrent changes are never lost.
///
/// The type is not `Sendable`, because an ``AnyRealmValue`` may contain an object. Pass it to a
/// ``WriteBatch``, which is `Sendable`, in the task that creates it.
public enum FieldValue {
  /// Sets a new value; `.value(.none)` sets `nil`. For a link, pass the object or its primary key.
  case value(AnyRealmValue)
  /// Adds an integer to a number. `nil` counts as 0.
  case increment(Int)
  /// Adds a floating-point number to a number. `nil` counts as 0.
  case incrementBy(Double)
  /// Adds a decimal number to a number. `nil` counts as 0.
  case incrementByDecimal(Decimal)
  /// Sets the time of the commit by the store's clock, which is the same for all objects of a batch.
  case timestamp
  /// Adds the elements that a list or a set does not contain yet.
  case union([AnyRealmValue])
  /// Removes all occurrences of the elements from a list or a set.
  case remove([AnyRealmValue])
  /// Resets the property to its value in a new object of the class: the default, or `nil`.
  case delete
}

extension FieldValue: ExpressibleByIntegerLiteral {
  /// Creates an integer value.
  public init(integerLiteral value: Int) { self = .value(.int(value)) }
}

extension FieldValue: ExpressibleByFloatLiteral {
  /// Creates a 64-bit floating-point value.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
}

extension FieldValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
}

extension FieldValue: ExpressibleByStringInterpolation {
  /// Creates a text value.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
}
