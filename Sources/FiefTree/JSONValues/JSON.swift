/// A JSON value: the contents of a place in a ``JSONTree``.
///
/// ```swift
/// let body: JSON = ["from": "ada", "text": "Hello", "at": .serverTimestamp]
/// let text = body["text"].string ?? ""
/// ```
/// Values keep the form of their numbers: `1` is an integer, `1.0` is a double, and the two are different
/// values. Texts and names are compared by their UTF-8 bytes, and doubles by their bits. Swift's own
/// comparison would treat "é" as one scalar and "é" as two scalars as the same text.
public enum JSON: Sendable {
  /// No value. In a tree it means that nothing is there.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer of 64 bits.
  case int(Int64)
  /// A floating-point number. A tree stores finite numbers only.
  case double(Double)
  /// A text, which may contain every Unicode scalar.
  case string(String)
  /// A list of values. A tree stores it as an object with the names "0", "1" and so on.
  case array([JSON])
  /// Values by name.
  case object(JSONObject)

  /// The value if it is a truth value; otherwise `nil`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value if it is an integer, or a double without a fraction that an integer of 64 bits can represent;
  /// otherwise `nil`.
  public var int: Int64? {
    switch self {
    case .int(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value if it is a number; otherwise `nil`. An integer beyond 2^53 is rounded to the nearest double.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value if it is a text; otherwise `nil`.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements if the value is an array; otherwise `nil`.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members if the value is an object; otherwise `nil`.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Accesses the member with a name.
  ///
  /// Reading returns ``null`` if there is no such member, or if the value is no object. Assigning makes any
  /// other value an object with this member only.
  public subscript(name: String) -> JSON {
    get { object?[name] ?? .null }
    _modify {
      // The members are taken out, so that they are changed in place.
      var members = JSONObject()
      if case .object(let own) = self { members = own }
      self = .null
      defer { self = .object(members) }
      yield &members[name]
    }
  }

  /// Returns an element of an array, or the member of an object with that integer as its name.
  ///
  /// The result is ``null`` if there is no such element or member. The index may have any value.
  public subscript(index: Int) -> JSON {
    switch self {
    case .array(let elements): elements.indices.contains(index) ? elements[index] : .null
    case .object(let members): members[String(index)]
    default: .null
    }
  }
}

extension JSON {
  /// A placeholder for the time of the write, in milliseconds since 1970.
  ///
  /// A write replaces it by the time of the store's clock, which is the same in the whole commit. It may
  /// stand anywhere in a written value.
  public static var serverTimestamp: JSON { .object([ServerValue.name: .string(ServerValue.timestampName)]) }

  /// Returns a placeholder that adds an amount to the number at its place.
  ///
  /// If the place holds anything but a number, the result is the amount. A sum that does not fit 64 bits
  /// becomes a double.
  public static func increment(_ amount: Int) -> JSON { increment(.int(Int64(amount))) }

  /// Returns a placeholder that adds an amount to the number at its place.
  ///
  /// If the place holds anything but a number, the result is the amount. The sum is a double.
  public static func increment(_ amount: Double) -> JSON { increment(.double(amount)) }

  private static func increment(_ amount: JSON) -> JSON {
    .object([ServerValue.name: .object([ServerValue.incrementName: amount])])
  }
}
