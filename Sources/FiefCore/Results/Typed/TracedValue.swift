import Foundation

/// The distinctive values that the properties of a traced object return.
///
/// These values are not the default value of any property. If a key path leads to a value computed from a
/// property, such as a count or an uppercased text, its result differs from these values. The text ends with
/// a scalar that every Unicode normalization replaces.
enum TracedValue {
  /// Returns the value for a type, or `nil` for types whose properties return their own value.
  static func standIn(for type: Any.Type) -> Any? {
    if let optional = type as? any StandInOptional.Type { return optional.standIn }
    return switch type {
    case is Bool.Type: true
    case is Int.Type: 0x3E1F_F1EF
    case is Int8.Type: Int8(-77)
    case is Int16.Type: Int16(-7_777)
    case is Int32.Type: Int32(-77_777_777)
    case is Int64.Type: Int64(-0x3E1F_F1EF)
    case is UInt.Type: UInt(0x3E1F_F1EF)
    case is UInt8.Type: UInt8(177)
    case is UInt16.Type: UInt16(17_777)
    case is UInt32.Type: UInt32(177_777_777)
    case is UInt64.Type: UInt64(0x3E1F_F1EF)
    case is Float.Type: Float(-7_777.125)
    case is Double.Type: -77_777.062_5
    case is String.Type: "Fief's Tracer, \u{212B}"
    case is Data.Type: Data([0xF1, 0xEF, 0x00])
    case is Date.Type: Date(timeIntervalSinceReferenceDate: -77_777.062_5)
    case is Decimal.Type: Decimal(-77_777)
    default: nil
    }
  }

  /// Whether a key path returned the property's value, possibly wrapped in an optional or as its raw value.
  static func isSame(_ value: Any, _ last: Any) -> Bool {
    let value = unwrapped(value)
    let last = unwrapped(last)
    switch (value, last) {
    case (nil, nil): return true
    case (let value as String, let last as String): return value.hasSameBytes(as: last)
    case (let value?, let last?):
      if Swift.type(of: value) == Swift.type(of: last) {
        if let value = value as? AnyHashable, let last = last as? AnyHashable { return value == last }
        if Swift.type(of: value) is AnyClass { return (value as AnyObject) === (last as AnyObject) }
        return true
      }
      guard let raw = (try? QueryValue(last)), let given = try? QueryValue(value) else { return false }
      return !(last is any PersistableScalar) && raw == given
    default: return false
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any TracedOptional else { return value }
    return optional.wrappedValue
  }
}

/// An optional whose wrapped type has a distinctive value.
private protocol StandInOptional {
  static var standIn: Any? { get }
}

extension Optional: StandInOptional {
  fileprivate static var standIn: Any? {
    guard let value = TracedValue.standIn(for: Wrapped.self) as? Wrapped else { return nil }
    return Optional.some(value)
  }
}
