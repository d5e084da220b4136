import LMDB

/// Reads the backlinks of a link column.
package enum Backlinks {
  /// Returns the number of objects whose link column leads to a target.
  ///
  /// - Parameter most: The number at which counting stops.
  static func count(
    of link: Table.LinkColumn,
    to target: UnsafeRawBufferPointer,
    upTo most: Int,
    in transaction: LMDB.Transaction
  ) throws -> Int {
    let prefix = CompositeKey.first([UInt8](target))
    var count = 0
    let cursor = try transaction.cursor(link.backlinks)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, count < most, cursor.key.starts(with: prefix) {
      count += 1
      found = try cursor.next()
    }
    return count
  }

  /// Returns the keys of the objects whose link column leads to `target`, in order.
  package static func sources(
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

extension Table.LinkColumn {
  /// Returns the error for a backlink whose object does not exist. Backlinks have no checksum, so a damaged
  /// one can contain the key of an object that never existed.
  package func missingSource(_ key: ObjectKey, of table: Table) -> FiefError {
    FiefError(
      .damagedRecord,
      "A backlink refers to a missing object.",
      type: table.name,
      property: column.name,
      key: table.text(ofKey: key.bytes)
    )
  }
}
