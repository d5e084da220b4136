import Foundation
import LMDB

/// Numbers of one kind among those of another: by value, exactly.
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
      // The conversion goes through text: `NSDecimalNumber` uses a double for some of them.
      guard let integer = Int64("\(next)") else { return nil }
      let image = KeyElementImage(integer)
      return next == value ? ElementBounds(image) : ElementBounds(cut: Self.bytes(image))
    default: return nil
    }
  }

  /// Integers among integers, as in a list of keys; nil where others are meant.
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
    // The order of elements is that of their values.
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
      // Other doubles have more digits than a decimal can have.
      guard let integer = Int64(exactly: value) else { return nil }
      decimal = Decimal(integer)
    default: return nil
    }
    var encoder = KeyEncoder()
    encoder.append(decimal: DecimalCoding.encode(decimal))
    return ElementBounds(point: encoder.bytes)
  }

  /// The bound behind all values of the kind.
  private var end: [UInt8] { all.upper ?? [] }

  private static func bytes(_ image: KeyElementImage) -> [UInt8] { image.withUnsafeBytes { [UInt8]($0) } }

  private static func bounds<Value: BinaryFloatingPoint>(
    of value: Int64,
    _ type: Value.Type,
    _ image: (Value) -> KeyElementImage
  ) -> ElementBounds {
    let nearest = Value(value)
    // A number beyond the integers is above all of them: rounding never goes below the least.
    guard let back = Int64(exactly: nearest) else {
      return .number(nearest: nearest, isLess: false, image)
    }
    return .number(nearest: nearest, isLess: back == value ? nil : back < value, image)
  }

  /// Two doubles with a decimal number between them.
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
