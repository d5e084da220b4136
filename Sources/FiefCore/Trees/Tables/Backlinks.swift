import LMDB

/// The entries that lead back along a column of links.
package enum Backlinks {
  /// The number of objects whose link column leads to a target.
  ///
  /// - Parameter most: the number at which counting stops.
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

  /// The keys of the objects whose link column leads to `target`, in order.
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
  /// The error of a backlink whose object is not there. Backlinks have no checksum: a damaged one names an object that
  /// there never was.
  package func missingSource(_ key: ObjectKey, of table: Table) -> FiefError {
    FiefError(
      .damagedRecord,
      "A backlink names an object that there is not.",
      type: table.name,
      property: column.name,
      key: table.text(ofKey: key.bytes)
    )
  }
}
