import LMDB

/// Reads the objects that link to one target in batches. The tree may change between two batches.
struct BacklinkRange {
  private let prefix: [UInt8]
  /// The key of the last entry that was read; empty before the first read.
  private(set) var after: [UInt8]
  private(set) var isAtEnd = false

  init(_ target: [UInt8], after: [UInt8] = []) {
    prefix = CompositeKey.first(target)
    self.after = after
  }

  /// Returns the keys of the next sources, in order.
  ///
  /// - Parameter count: The maximum number of keys. The last batch may be smaller.
  mutating func next(_ count: Int, of link: Table.LinkColumn, in transaction: LMDB.Transaction) throws
    -> [[UInt8]]
  {
    if isAtEnd { return [] }
    var sources: [[UInt8]] = []
    let cursor = try transaction.cursor(link.backlinks)
    var found = try (after.isEmpty ? prefix : after).withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    if found, !after.isEmpty, cursor.key.elementsEqual(after) { found = try cursor.next() }
    while found, cursor.key.starts(with: prefix) {
      if sources.count == count { return sources }
      sources.append(
        CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: prefix.count).bytes
      )
      if sources.count == count { after = [UInt8](cursor.key) }
      found = try cursor.next()
    }
    isAtEnd = true
    return sources
  }
}
