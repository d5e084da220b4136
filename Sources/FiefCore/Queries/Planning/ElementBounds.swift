import Foundation
import LMDB

/// The position of a constant among the key elements of a column. It divides the elements into those less
/// than, equal to and greater than the constant.
struct ElementBounds {
  /// The smallest element that is not less than the constant.
  let lower: [UInt8]
  /// The smallest element that is greater than the constant. It equals `lower` if no element equals the
  /// constant.
  let upper: [UInt8]
  /// The elements that equal the constant. There are two for a floating-point zero.
  var points: [[UInt8]] = []
  /// Whether the bounds are exact. Otherwise elements between them may be less or greater than the constant.
  var isExact = true

  /// The maximum length of a bound. Longer elements are stored with a hash at the end, which has no order.
  ///
  /// - Invariant: less than the length of the part that `CompositeKey` keeps of a long element.
  static let limit = 228

  /// - Parameter point: the only element that equals the constant.
  init(point: [UInt8]) {
    if point.count <= Self.limit {
      lower = point
      upper = keySuccessor(ofPrefix: point) ?? []
      points = [point]
    } else {
      lower = Array(point[..<Self.limit])
      upper = keySuccessor(ofPrefix: lower) ?? []
      isExact = false
    }
  }

  init(_ image: KeyElementImage) { self.init(point: image.withUnsafeBytes { [UInt8]($0) }) }

  /// Creates the bounds of a constant that equals no element.
  init(cut: [UInt8]) {
    lower = cut
    upper = cut
  }

  /// Creates the bounds of a constant that lies between two adjacent elements.
  init(between lower: KeyElementImage, and upper: KeyElementImage) {
    self.lower = lower.withUnsafeBytes { [UInt8]($0) }
    self.upper = keySuccessor(ofPrefix: upper.withUnsafeBytes { [UInt8]($0) }) ?? []
    isExact = false
  }

  init(lower: [UInt8], upper: [UInt8], points: [[UInt8]]) {
    self.lower = lower
    self.upper = upper
    self.points = points
  }
}

extension ElementBounds {
  /// Returns the bounds of a floating-point number. The two zeros are equal.
  static func number<Value: BinaryFloatingPoint>(
    _ value: Value,
    _ image: (Value) -> KeyElementImage
  ) -> ElementBounds {
    guard value == 0 else { return ElementBounds(image(value)) }
    let negative = ElementBounds(image(-Value.zero))
    let positive = ElementBounds(image(Value.zero))
    return ElementBounds(
      lower: negative.lower,
      upper: positive.upper,
      points: negative.points + positive.points
    )
  }

  /// Returns the bounds of a number among floating-point numbers.
  ///
  /// - Parameters:
  ///   - nearest: the floating-point number nearest to the constant.
  ///   - isLess: whether `nearest` is less than the constant, or `nil` if they are equal.
  static func number<Value: BinaryFloatingPoint>(
    nearest: Value,
    isLess: Bool?,
    _ image: (Value) -> KeyElementImage
  ) -> ElementBounds {
    guard let isLess else { return number(nearest, image) }
    let next = isLess ? nearest.nextUp : nearest
    return ElementBounds(cut: image(next).withUnsafeBytes { [UInt8]($0) })
  }
}
