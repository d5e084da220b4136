import Foundation

/// A running sum.
///
/// Integers are added exactly, and the sum is clamped to the range of the property. Floating-point numbers
/// are added in a fixed order, so the same objects always have the same sum.
struct DerivedTotal {
  private var integer: Int128 = 0
  private var floating: Double = 0
  private var decimal: Decimal?

  mutating func add(_ value: DerivedValue) {
    switch value {
    case .none: break
    // An overflow would require more objects than a store can contain.
    case .integer(let number): integer &+= Int128(number)
    case .floating(let number): floating += number
    case .bytes(let bytes):
      let number = bytes.withUnsafeBytes { DecimalCoding.decode($0) } ?? .nan
      decimal = decimal.map { $0 + number } ?? number
    }
  }

  /// Returns the sum as a derived value for a column of the given kind.
  func value(_ kind: ColumnType.Kind) -> DerivedValue {
    switch kind {
    case .float, .double: .floating(floating + Double(integer))
    case .decimal: .bytes(decimal.map { DecimalCoding.encode($0) } ?? ExactNumbers.encode(integer))
    default: .integer(Self.clamped(integer, kind))
    }
  }

  /// Returns the number in the property's range that is nearest to `value`.
  static func clamped(_ value: Int128, _ kind: ColumnType.Kind) -> Int64 {
    guard let range = kind.countableRange else { return Int64(clamping: value) }
    return min(max(Int64(clamping: value), range.lowerBound), range.upperBound)
  }
}
