/// Floating-point numbers as text that preserves every bit.
///
/// Numbers are written in their shortest form. Other values are written as `NaN`, `Infinity` and `-Infinity`.
/// A NaN with an unusual bit pattern is written as `NaN(0x7ff8000000000001)`.
package enum FloatText {
  package static func text(_ value: Double) -> String {
    if value.isFinite { return value.description }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    let isUsual = value.bitPattern == Double.nan.bitPattern
    return isUsual ? "NaN" : "NaN(0x\(String(value.bitPattern, radix: 16)))"
  }

  package static func text(_ value: Float) -> String {
    if value.isFinite { return value.description }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    let isUsual = value.bitPattern == Float.nan.bitPattern
    return isUsual ? "NaN" : "NaN(0x\(String(value.bitPattern, radix: 16)))"
  }

  /// Returns the value that ``text(_:)-(Double)`` writes as a name, such as `NaN`; `nil` for any other text.
  package static func double(named text: String) -> Double? {
    if let bits = bits(text, UInt64.self) { return Double(bitPattern: bits) }
    return named(text)
  }

  /// Returns the value that ``text(_:)-(Float)`` writes as a name, such as `NaN`; `nil` for any other text.
  package static func float(named text: String) -> Float? {
    if let bits = bits(text, UInt32.self) { return Float(bitPattern: bits) }
    return named(text)
  }

  private static func named<Value: BinaryFloatingPoint>(_ text: String) -> Value? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  private static func bits<Bits: FixedWidthInteger>(_ text: String, _ type: Bits.Type) -> Bits? {
    guard text.hasPrefix("NaN(0x"), text.hasSuffix(")") else { return nil }
    return Bits(text.dropFirst(6).dropLast(), radix: 16)
  }
}
