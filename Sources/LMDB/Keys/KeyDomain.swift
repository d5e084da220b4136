/// The range of keys for the values of one type that are comparable with each other.
///
/// No domain contains NaN, which is neither less nor greater than any value.
@usableFromInline package struct KeyDomain: Sendable {
  /// The smallest key of the domain.
  @usableFromInline package let lower: [UInt8]
  /// The smallest key after the domain.
  @usableFromInline package let upper: [UInt8]

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
  @usableFromInline package static let bytes = KeyDomain(KeyTag.bytes, KeyTag.bytes)
  /// Text.
  @usableFromInline package static let string = KeyDomain(KeyTag.string, KeyTag.string)
  /// Integers.
  @usableFromInline package static let integer = KeyDomain(KeyTag.lowestInteger, KeyTag.highestInteger)
  /// Boolean values.
  @usableFromInline package static let bool = KeyDomain(KeyTag.false, KeyTag.true)
  /// UUIDs.
  @usableFromInline package static let uuid = KeyDomain(KeyTag.uuid, KeyTag.uuid)
  /// Object ids.
  @usableFromInline package static let objectID = KeyDomain(KeyTag.objectID, KeyTag.objectID)
  /// 64-bit floating-point numbers.
  @usableFromInline package static let double = KeyDomain(
    KeyElementImage(-Double.infinity),
    KeyElementImage(Double.infinity)
  )
  /// 32-bit floating-point numbers.
  @usableFromInline package static let float = KeyDomain(
    KeyElementImage(-Float.infinity),
    KeyElementImage(Float.infinity)
  )
  /// Dates.
  @usableFromInline package static let date = KeyDomain(
    KeyElementImage(date: -Double.infinity),
    KeyElementImage(date: Double.infinity)
  )
  /// Decimal numbers. NaN has the byte 2, and all other values have greater bytes.
  @usableFromInline package static let decimal = KeyDomain(lower: [KeyTag.decimal, 3], upper: KeyTag.decimal)
}
