/// The values of one type that are comparable with each other, as a range of keys.
///
/// A NaN is in none: it is neither less nor greater than anything.
public struct KeyDomain: Sendable {
  /// The least key of the domain.
  public let lower: [UInt8]
  /// The least key behind it.
  public let upper: [UInt8]

  private init(_ lower: UInt8, _ upper: UInt8) {
    self.lower = [lower]
    self.upper = [upper + 1]
  }

  private init(_ lower: KeyElementImage, _ upper: KeyElementImage) {
    self.lower = lower.withUnsafeBytes { [UInt8]($0) }
    self.upper = keySuccessor(ofPrefix: upper.withUnsafeBytes { [UInt8]($0) }) ?? []
  }

  private init(lower: [UInt8], upper: UInt8) {
    self.lower = lower
    self.upper = [upper + 1]
  }

  /// Bytes.
  public static let bytes = KeyDomain(KeyTag.bytes, KeyTag.bytes)
  /// Text.
  public static let string = KeyDomain(KeyTag.string, KeyTag.string)
  /// Integers.
  public static let integer = KeyDomain(KeyTag.lowestInteger, KeyTag.highestInteger)
  /// Truth values.
  public static let bool = KeyDomain(KeyTag.false, KeyTag.true)
  /// UUIDs.
  public static let uuid = KeyDomain(KeyTag.uuid, KeyTag.uuid)
  /// Object ids.
  public static let objectID = KeyDomain(KeyTag.objectID, KeyTag.objectID)
  /// 64-bit floating-point numbers.
  public static let double = KeyDomain(
    KeyElementImage(-Double.infinity),
    KeyElementImage(Double.infinity)
  )
  /// 32-bit floating-point numbers.
  public static let float = KeyDomain(KeyElementImage(-Float.infinity), KeyElementImage(Float.infinity))
  /// Dates.
  public static let date = KeyDomain(
    KeyElementImage(date: -Double.infinity),
    KeyElementImage(date: Double.infinity)
  )
  /// Decimal numbers. A value that is not a number has the byte 2, all others have greater ones.
  public static let decimal = KeyDomain(lower: [KeyTag.decimal, 3], upper: KeyTag.decimal)
}
