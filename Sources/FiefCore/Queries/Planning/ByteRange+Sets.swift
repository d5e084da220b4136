import LMDB

extension ByteRange {
  /// Creates the range of all keys with a prefix.
  init(prefix: [UInt8]) {
    lower = prefix
    upper = keySuccessor(ofPrefix: prefix)
  }

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  /// Returns the keys that are in both ranges, or `nil` if there are none.
  func intersection(_ other: ByteRange) -> ByteRange? {
    if self.lower.isEmpty, upper == nil { return other.isEmpty ? nil : other }
    let lower = self.lower.lexicographicallyPrecedes(other.lower) ? other.lower : self.lower
    let both = ByteRange(lower: lower, upper: Self.least(upper, other.upper))
    return both.isEmpty ? nil : both
  }

  /// Whether this range ends after another range.
  func endsAfter(_ other: ByteRange) -> Bool {
    guard let end = other.upper else { return false }
    guard let upper else { return true }
    return end.lexicographicallyPrecedes(upper)
  }

  private static func least(_ first: [UInt8]?, _ second: [UInt8]?) -> [UInt8]? {
    guard let first else { return second }
    guard let second else { return first }
    return first.lexicographicallyPrecedes(second) ? first : second
  }
}
