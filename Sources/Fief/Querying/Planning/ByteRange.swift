import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Keys of a tree from one to another, in the order of their bytes.
struct ByteRange: Hashable, Sendable {
  /// The least key; empty where there is no bound.
  var lower: [UInt8]
  /// The least key behind the range; nil where there is no bound.
  var upper: [UInt8]?

  static let all = ByteRange(lower: [], upper: nil)

  /// What is left of it behind a position.
  func resumed(after position: QueryPosition?, isBackward: Bool) -> ByteRange {
    guard let position else { return self }
    var rest = self
    if isBackward {
      rest.upper = position.bytes
    } else {
      // The least string of bytes that is greater.
      rest.lower = position.bytes + [0]
    }
    return rest
  }

  /// Whether a key is behind the range.
  @inline(__always)
  func isBehind(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let upper else { return false }
    return upper.withUnsafeBytes { Self.compare(key, $0) >= 0 }
  }

  /// Whether a key is before the range.
  @inline(__always)
  func isBefore(_ key: UnsafeRawBufferPointer) -> Bool {
    lower.withUnsafeBytes { Self.compare(key, $0) < 0 }
  }

  /// Moves a cursor to the first key of the range, or to the last.
  ///
  /// - Returns: false where no key is there or beyond in the direction; the key found may be outside.
  func enter(_ cursor: Cursor, isBackward: Bool) throws -> Bool {
    guard isBackward else { return try Self.seek(cursor, atOrAfter: lower) }
    guard let upper else { return try cursor.last() }
    _ = try Self.seek(cursor, atOrAfter: upper)
    return try cursor.previous()
  }

  /// A position behind the longest key that there can be is cut: no key is between the two.
  private static func seek(_ cursor: Cursor, atOrAfter key: [UInt8]) throws -> Bool {
    guard key.count > ObjectKey.maximumLength else {
      return try key.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    }
    let cut = key[..<ObjectKey.maximumLength]
    let found = try cut.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    guard found, cut.withUnsafeBytes({ Self.compare(cursor.key, $0) }) == 0 else { return found }
    return try cursor.next()
  }

  @inline(__always)
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let common = min(first.count, second.count)
    if common > 0, let start = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(start, other, common)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
