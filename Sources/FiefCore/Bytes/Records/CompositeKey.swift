import LMDB

/// A key in an index or in a tree of backlinks: a first element, then an object key.
///
/// Keys of LMDB are limited to 511 bytes. A long first element is shortened to a prefix and a hash, so that
/// equal values still share a prefix and prefixes keep their order; a lookup checks the record. A long object
/// key is shortened the same way, and then the entry's value contains the whole key; otherwise the value is
/// empty.
package struct CompositeKey {
  /// The maximum length of the first element, in bytes.
  static let firstLimit = 240
  /// The maximum length of the second element, in bytes.
  static let secondLimit = 511 - firstLimit

  package let key: [UInt8]
  package let value: [UInt8]
  /// The length of the first element within the key, in bytes.
  package let firstCount: Int

  package init(first: [UInt8], second: [UInt8]) {
    let shortened = Self.second(second)
    let first = Self.first(first)
    firstCount = first.count
    key = first + shortened
    value = shortened.count == second.count ? [] : second
  }

  static func first(_ element: [UInt8]) -> [UInt8] {
    // `truncated` begins to shorten at a smaller length, so an element that fits is returned before the call.
    guard element.count > firstLimit else { return element }
    let (bytes, isTruncated) = TruncatedKey.truncated(element, limit: firstLimit)
    // `truncated` does not handle compounds of several elements, so they are shortened here.
    return isTruncated ? bytes : shortened(element, limit: firstLimit)
  }

  /// Returns an object key as it is encoded in an entry.
  package static func second(_ key: [UInt8]) -> [UInt8] { shortened(key, limit: secondLimit) }

  private static func shortened(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    guard bytes.count > limit else { return bytes }
    var result = Array(bytes.prefix(limit - 8))
    let hash = bytes.withUnsafeBytes { StableHash.hash($0) }
    withUnsafeBytes(of: hash.bigEndian) { result.append(contentsOf: $0) }
    return result
  }

  /// Returns the object key of an entry whose first element has `prefixCount` bytes.
  package static func objectKey(
    key: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    prefixCount: Int
  ) -> ObjectKey {
    if !value.isEmpty { return ObjectKey(value) }
    return ObjectKey(UnsafeRawBufferPointer(rebasing: key[min(prefixCount, key.count)...]))
  }
}
