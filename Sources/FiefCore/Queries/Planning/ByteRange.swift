import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A range of a tree's keys in the order of their bytes.
package struct ByteRange: Hashable, Sendable {
  /// The smallest key, or empty if there is no lower bound.
  var lower: [UInt8]
  /// The smallest key beyond the range, or `nil` if there is no upper bound.
  var upper: [UInt8]?

  static let all = ByteRange(lower: [], upper: nil)
  static let empty = ByteRange(lower: [], upper: [])

  var isAll: Bool { upper == nil && lower.isEmpty }

  /// Returns the rest of the range after a key, or `nil` if it is empty.
  func resumed(after key: [UInt8]?, isBackward: Bool) -> ByteRange? {
    guard let key else { return self }
    if isBackward { return intersection(ByteRange(lower: [], upper: key)) }
    return Self.successor(of: key).flatMap { intersection(ByteRange(lower: $0, upper: nil)) }
  }

  /// Returns the smallest possible key of a tree that is greater than `key`.
  static func successor(of key: consuming [UInt8]) -> [UInt8]? {
    guard key.count < ObjectKey.maximumLength else { return keySuccessor(ofPrefix: key) }
    key.append(0)
    return key
  }

  /// Whether a key comes after the range.
  @inline(__always)
  func isBehind(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let upper else { return false }
    return upper.withUnsafeBytes { Self.compare(key, $0) >= 0 }
  }

  /// Whether a key comes before the range.
  @inline(__always)
  func isBefore(_ key: UnsafeRawBufferPointer) -> Bool {
    lower.withUnsafeBytes { Self.compare(key, $0) < 0 }
  }

  /// Moves a cursor to the first or the last key of the range.
  ///
  /// - Returns: false if there is no key at this position or further in the direction of the walk. The found
  ///   key may be outside the range.
  func enter(_ cursor: Cursor, isBackward: Bool) throws -> Bool {
    guard isBackward else { return try lower.withUnsafeBytes { try cursor.seek(atOrAfter: $0) } }
    guard let upper else { return try cursor.last() }
    return try upper.withUnsafeBytes { try cursor.seek(before: $0) }
  }

  @inline(__always)
  package static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let common = min(first.count, second.count)
    if common > 0, let start = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(start, other, common)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
