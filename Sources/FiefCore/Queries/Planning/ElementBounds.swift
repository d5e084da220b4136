import Foundation
import LMDB

/// The position of a constant among the key elements of a column: it divides them into those that are less,
/// equal and greater.
struct ElementBounds {
  /// The least element that is not less than the constant.
  let lower: [UInt8]
  /// The least element that is greater; the same as `lower` where no element equals the constant.
  let upper: [UInt8]
  /// The elements that equal the constant: two for zero as a floating-point number.
  var points: [[UInt8]] = []
  /// Whether the bounds are exact; otherwise elements between them may be anything.
  var isExact = true

  /// The longest bound; the stored form of longer elements ends with a hash that has no order.
  ///
  /// - Invariant: less than what `CompositeKey` keeps of an element that it cuts.
  static let limit = 228

  /// - Parameter point: the one element that equals the constant.
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

  /// The bounds of a constant that equals no element.
  init(cut: [UInt8]) {
    lower = cut
    upper = cut
  }

  /// The bounds of a constant that no element represents exactly: it is between two elements.
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
  /// A floating-point number; the two zeros are equal.
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

  /// The place of another number among floating-point numbers.
  ///
  /// - Parameters:
  ///   - nearest: the number that is nearest to the constant.
  ///   - isLess: whether that is less than the constant; nil where it equals it.
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
