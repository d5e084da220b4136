import LMDB

/// An entry of an index or of a backlink tree: a first element, then an object key.
///
/// LMDB's keys end at 511 bytes. A long first element is cut to a prefix and a hash, so that equal values
/// still share their entries' prefix and the order of prefixes is kept; a lookup checks the record. A long
/// object key is cut likewise, and the entry's value then holds it whole; the value is empty otherwise.
package struct CompositeKey {
  /// The longest first element, in bytes.
  static let firstLimit = 240
  /// The longest second element, in bytes.
  static let secondLimit = 511 - firstLimit

  package let key: [UInt8]
  package let value: [UInt8]
  /// The number of bytes of the key that are the first element.
  package let firstCount: Int

  package init(first: [UInt8], second: [UInt8]) {
    let shortened = Self.second(second)
    let first = Self.first(first)
    firstCount = first.count
    key = first + shortened
    value = shortened.count == second.count ? [] : second
  }

  static func first(_ element: [UInt8]) -> [UInt8] {
    // An element that fits is kept whole: the cut for one element would begin a little earlier.
    guard element.count > firstLimit else { return element }
    let (bytes, isTruncated) = TruncatedKey.truncated(element, limit: firstLimit)
    // A compound is no single element, so that the cut for one does not apply.
    return isTruncated ? bytes : shortened(element, limit: firstLimit)
  }

  /// An object key as it is in an entry.
  package static func second(_ key: [UInt8]) -> [UInt8] { shortened(key, limit: secondLimit) }

  private static func shortened(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    guard bytes.count > limit else { return bytes }
    var result = Array(bytes.prefix(limit - 8))
    let hash = bytes.withUnsafeBytes { StableHash.hash($0) }
    withUnsafeBytes(of: hash.bigEndian) { result.append(contentsOf: $0) }
    return result
  }

  /// The object key of an entry whose first element is `prefixCount` bytes long.
  package static func objectKey(
    key: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    prefixCount: Int
  ) -> ObjectKey {
    if !value.isEmpty { return ObjectKey(value) }
    return ObjectKey(UnsafeRawBufferPointer(rebasing: key[min(prefixCount, key.count)...]))
  }
}
