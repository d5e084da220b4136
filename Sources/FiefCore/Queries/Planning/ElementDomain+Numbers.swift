import Foundation
import LMDB

/// Exact comparison of numbers of different kinds.
extension ElementDomain {
  func integerBounds(of value: QueryValue) -> ElementBounds? {
    switch value {
    case .integer(let value): return ElementBounds(KeyElementImage(value))
    case .double(let value):
      if let exact = Int64(exactly: value) { return ElementBounds(KeyElementImage(exact)) }
      if value < -0x1p63 { return ElementBounds(cut: all.lower) }
      guard let next = Int64(exactly: value.rounded(.up)) else { return ElementBounds(cut: end) }
      return ElementBounds(cut: Self.bytes(KeyElementImage(next)))
    case .decimal(let value):
      if value < Decimal(Int64.min) { return ElementBounds(cut: all.lower) }
      if value > Decimal(Int64.max) { return ElementBounds(cut: end) }
      let next = Self.roundedUp(value)
      // The conversion goes through text, because `NSDecimalNumber` converts some values through a double.
      guard let integer = Int64("\(next)") else { return nil }
      let image = KeyElementImage(integer)
      return next == value ? ElementBounds(image) : ElementBounds(cut: Self.bytes(image))
    default: return nil
    }
  }

  /// Returns the elements of several integers, as in a list of keys, or `nil` if the kind or a value is not
  /// an integer.
  func set(ofIntegers values: [QueryValue]) -> ElementSet? {
    guard kind.isInteger else { return nil }
    var integers: [Int64] = []
    integers.reserveCapacity(values.count)
    for value in values {
      guard case .integer(let integer) = value else { return nil }
      integers.append(integer)
    }
    integers.sort()
    var parts: [ElementSet.Part] = []
    parts.reserveCapacity(integers.count)
    // The elements have the same order as their values.
    for (index, integer) in integers.enumerated() where index == 0 || integer != integers[index - 1] {
      let element = Self.bytes(KeyElementImage(integer))
      parts.append(ElementSet.Part(range: ByteRange(prefix: element), isPoint: true))
    }
    return ElementSet(parts: parts, isExact: true)
  }

  func doubleBounds(of value: QueryValue) -> ElementBounds? {
    switch value {
    case .double(let value): return .number(value) { KeyElementImage($0) }
    case .integer(let value): return Self.bounds(of: value, Double.self) { KeyElementImage($0) }
    case .decimal(let value):
      guard let (least, greatest) = Self.surroundings(of: value) else { return nil }
      return ElementBounds(between: KeyElementImage(least), and: KeyElementImage(greatest))
    default: return nil
    }
  }

  func floatBounds(of value: QueryValue) -> ElementBounds? {
    switch value {
    case .double(let value):
      let nearest = Float(value)
      let isLess: Bool? = Double(nearest) == value ? nil : Double(nearest) < value
      return .number(nearest: nearest, isLess: isLess) { KeyElementImage($0) }
    case .integer(let value): return Self.bounds(of: value, Float.self) { KeyElementImage($0) }
    case .decimal(let value):
      guard let (least, greatest) = Self.surroundings(of: value) else { return nil }
      return ElementBounds(
        between: KeyElementImage(Float(least).nextDown),
        and: KeyElementImage(Float(greatest).nextUp)
      )
    default: return nil
    }
  }

  func decimalBounds(of value: QueryValue) -> ElementBounds? {
    let decimal: Decimal
    switch value {
    case .decimal(let value): decimal = value
    case .integer(let value): decimal = Decimal(value)
    case .double(let value):
      if value.isInfinite { return ElementBounds(cut: value < 0 ? all.lower : end) }
      // A double that is not an integer can have more digits than a decimal.
      guard let integer = Int64(exactly: value) else { return nil }
      decimal = Decimal(integer)
    default: return nil
    }
    var encoder = KeyEncoder()
    encoder.append(decimal: DecimalCoding.encode(decimal))
    return ElementBounds(point: encoder.bytes)
  }

  /// The bound after all values of the kind.
  private var end: [UInt8] { all.upper ?? [] }

  private static func bytes(_ image: KeyElementImage) -> [UInt8] { image.withUnsafeBytes { [UInt8]($0) } }

  private static func bounds<Value: BinaryFloatingPoint>(
    of value: Int64,
    _ type: Value.Type,
    _ image: (Value) -> KeyElementImage
  ) -> ElementBounds {
    let nearest = Value(value)
    // A number beyond the integer range is greater than all integers: rounding never goes below the least
    // integer.
    guard let back = Int64(exactly: nearest) else {
      return .number(nearest: nearest, isLess: false, image)
    }
    return .number(nearest: nearest, isLess: back == value ? nil : back < value, image)
  }

  /// Returns two doubles that enclose a decimal number.
  private static func surroundings(of value: Decimal) -> (Double, Double)? {
    guard let near = Double("\(value)"), near.isFinite else { return nil }
    return (near.nextDown, near.nextUp)
  }

  private static func roundedUp(_ value: Decimal) -> Decimal {
    var value = value
    var result = Decimal()
    NSDecimalRound(&result, &value, 0, .up)
    return result
  }
}
