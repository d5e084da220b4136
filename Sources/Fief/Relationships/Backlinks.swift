import LMDB

/// The way back along a column of links.
enum Backlinks {
  /// The keys of the objects whose link column leads to `target`, in order.
  static func sources(
    of link: Table.LinkColumn,
    to target: [UInt8],
    in transaction: LMDB.Transaction
  ) throws -> [ObjectKey] {
    let prefix = CompositeKey.first(target)
    var sources: [ObjectKey] = []
    let cursor = try transaction.cursor(link.backlinks)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      sources.append(
        CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: prefix.count)
      )
      found = try cursor.next()
    }
    return sources
  }
}
