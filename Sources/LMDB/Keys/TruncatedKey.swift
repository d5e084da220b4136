/// Truncates index values that are too long for a key.
///
/// A long string, byte sequence or decimal is cut to a prefix, followed by an `FF` that never occurs in
/// UTF-8, eight bytes of a hash of the whole value, and the usual terminator. It remains one element that a
/// decoder can skip.
///
/// Let `a < b` be encoded elements and `t` their truncation to one limit. Then `t(a) < t(b)`, unless both are
/// truncated and share the prefix; in that case the hash decides. Therefore a range over truncated values
/// begins and ends at a whole prefix (``prefixCount(ofTruncated:)``), and every match is compared with the
/// record. A search for equality looks up the truncated element and also compares with the record, because
/// different values may share a hash.
@usableFromInline package enum TruncatedKey {
  /// The number of bytes after the prefix of a truncated element: mark, hash and terminator.
  @usableFromInline package static let suffixCount = 10
  /// The minimum limit. Smaller limits are treated as this one.
  @usableFromInline package static let minimumLimit = 32

  /// Truncates one encoded element to a limit.
  ///
  /// - Parameters:
  ///   - element: One element as ``KeyEncoder`` writes it.
  ///   - limit: The maximum number of bytes of the result. Elements of up to `limit - 10` bytes are never
  ///     truncated.
  /// - Returns: The element itself, or its truncation. Elements of a fixed length, and bytes that are not a
  ///   terminated element, are never truncated.
  @usableFromInline package static func truncated(_ element: [UInt8], limit: Int) -> (
    bytes: [UInt8], isTruncated: Bool
  ) {
    let limit = max(limit, minimumLimit)
    // One byte less than fits, so that an escape at the cut can be kept whole. If the escape were cut off,
    // the mark would be compared with the bytes of another value at the same position.
    let kept = limit - suffixCount - 1
    guard element.count > kept + 1, hasTerminator(element) else { return (element, false) }
    let cut = dividesEscape(element, at: kept) ? kept + 1 : kept
    guard element.count > cut + 1 else { return (element, false) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(cut + suffixCount)
    bytes.append(contentsOf: element[..<cut])
    bytes.append(0xFF)
    let hash = element.withUnsafeBytes { StableHash.hash($0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      // 0 would be a terminator and 1 an escape. The hash only distinguishes values, so a small loss is
      // acceptable.
      bytes.append(max(UInt8(truncatingIfNeeded: hash &>> shift), 2))
    }
    bytes.append(KeyTag.terminator)
    return (bytes, true)
  }

  /// Returns the number of leading bytes of a truncated element that belong to the value's own encoding.
  ///
  /// - Parameter element: A truncated result of ``truncated(_:limit:)``.
  @usableFromInline package static func prefixCount(ofTruncated element: [UInt8]) -> Int {
    max(element.count - suffixCount, 0)
  }

  /// Whether an encoded element in an index was truncated to a limit.
  ///
  /// - Parameters:
  ///   - element: The bytes of exactly one element.
  ///   - limit: The limit with which the element was written.
  @usableFromInline package static func isTruncated(_ element: UnsafeRawBufferPointer, limit: Int) -> Bool {
    let limit = max(limit, minimumLimit)
    // A whole element has at most `limit - 9` bytes; a truncated one has `limit - 1` or `limit`.
    guard element.count >= limit - 1 else { return false }
    return element[0] == KeyTag.string || element[0] == KeyTag.bytes || element[0] == KeyTag.decimal
  }

  private static func hasTerminator(_ element: [UInt8]) -> Bool {
    guard let tag = element.first else { return false }
    return (tag == KeyTag.string || tag == KeyTag.bytes || tag == KeyTag.decimal)
      && element.last == KeyTag.terminator
  }

  /// Whether `index` is between an escape and the byte that it escapes.
  private static func dividesEscape(_ element: [UInt8], at index: Int) -> Bool {
    // Escaped bytes may look like escapes, so a run of them is counted from its beginning.
    var first = index
    while first > 1, element[first - 1] == KeyTag.escape { first -= 1 }
    return (index - first) % 2 == 1
  }
}
