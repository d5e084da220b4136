import LMDB

/// Saves objects on condition that they are unchanged.
extension RecordWriter {
  /// Compares the stored objects with their expected states, before the first change.
  ///
  /// - Throws: ``FiefError`` of code `conflict` if an object differs from its expected state.
  func check(_ expected: [ExpectedObject], of changes: PreparedChanges, _ bytes: UnsafeRawBufferPointer)
    throws
  {
    // Earlier writes of the same commit may have changed the sources of derived properties, so these are
    // updated first.
    try flushTrees()
    var first: (type: String, key: String)?
    var lines: [String] = []
    for (expected, operation) in zip(expected, changes.operations) {
      let table = changes.tables[Int(operation.table)]
      let key = operation.key(in: bytes)
      guard let difference = try difference(expected, table, key, operation.record(in: bytes)) else {
        continue
      }
      let text = table.text(ofKey: [UInt8](key))
      first = first ?? (table.name, text)
      lines.append(table.name + HiddenValue.place(text) + ": " + difference)
    }
    guard let first else { return }
    throw FiefError(
      .conflict,
      "Another write changed the object after it was read.",
      store: tables.storeName,
      type: first.type,
      key: first.key,
      details: lines
    )
  }

  /// Returns a description of how an object differs from its expected state, or `nil` if it does not differ.
  private func difference(
    _ expected: ExpectedObject,
    _ table: Table,
    _ key: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer
  ) throws -> String? {
    if expected == .anything { return nil }
    let stored = try cursor(of: table).get(key)
    switch expected {
    case .anything: return nil
    case .none: return stored == nil ? nil : "it is new, but an object with its key exists"
    case .unknown:
      return "the state in which it was read is unknown; read it again"
    case .record(let stamp, let contents):
      guard let stored else { return "it was deleted" }
      guard try RecordStamp.of(stored, table) == stamp else { return "it was changed" }
      guard let column = try changedCollection(of: table, stored, contents, record) else { return nil }
      return column
    }
  }

  /// Returns a description of the first large collection that differs from the elements that were read, or
  /// that would be overwritten without having been read. Returns `nil` if there is no such collection.
  private func changedCollection(
    of table: Table,
    _ stored: UnsafeRawBufferPointer,
    _ contents: [ReadContents],
    _ record: UnsafeRawBufferPointer
  ) throws -> String? {
    if table.collections.isEmpty { return nil }
    let (before, after) = (try table.view(stored), try table.view(record))
    for collection in table.collections {
      let column = collection.column
      guard let marker = try Self.marker(of: column, in: before, table) else { continue }
      guard let read = contents.first(where: { $0.column == column.id }) else {
        if try Self.marker(of: column, in: after, table)?.prefix == marker.prefix { continue }
        return "the elements of \(table.propertyName(column)) would be replaced but were not read"
      }
      let whole = try LargeCollection.at(marker, type: column.type, tables: tables, in: transaction)
        .recordPayload()
      if !whole.withUnsafeBytes({ read.isOf($0) }) {
        return "the elements of \(table.propertyName(column)) were changed"
      }
    }
    return nil
  }

  /// Returns the current stored state of the objects that the changes have written.
  func written(_ changes: PreparedChanges) throws -> [WrittenObject] {
    try flushTrees()
    let expected = changes.expected ?? []
    return try changes.bytes.withUnsafeBytes { bytes in
      try zip(changes.operations, expected).map { operation, expected in
        let table = changes.tables[Int(operation.table)]
        guard let stored = try cursor(of: table).get(operation.key(in: bytes)) else { return WrittenObject() }
        let stamp = try RecordStamp.of(stored, table)
        if table.collections.isEmpty { return WrittenObject(stamp: stamp) }
        let contents = try contents(of: table, stored, operation.record(in: bytes), expected)
        return WrittenObject(stamp: stamp, contents: contents)
      }
    }
  }

  /// Returns the large collections whose elements are known, because they were written or because the object
  /// has read them.
  private func contents(
    of table: Table,
    _ stored: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer,
    _ expected: ExpectedObject
  ) throws -> [ReadContents] {
    let (after, own) = (try table.view(stored), try table.view(record))
    return try table.collections.compactMap { collection in
      let column = collection.column
      guard let marker = try Self.marker(of: column, in: after, table) else { return nil }
      if try Self.marker(of: column, in: own, table) != nil, !expected.hasRead(column.id) { return nil }
      let whole = try LargeCollection.at(marker, type: column.type, tables: tables, in: transaction)
        .recordPayload()
      return ReadContents(column: column.id, payload: whole)
    }
  }

  private static func marker(of column: ColumnEntry, in view: RecordView, _ table: Table) throws
    -> CollectionMarker?
  {
    var marker: CollectionMarker?
    try table.payload(of: column, in: view) { marker = try $0.flatMap { try CollectionMarker($0) } }
    return marker
  }
}

/// The stamps of records, which detect changes since a read.
enum RecordStamp {
  /// Returns the stamp for a record's hash: 63 bits of the hash and a lowest bit of 1. An odd number cannot
  /// be mistaken for an address.
  @inline(__always)
  static func of(_ contentHash: UInt64) -> UInt { UInt(truncatingIfNeeded: contentHash) | 1 }

  static func of(_ record: UnsafeRawBufferPointer, _ table: Table) throws -> UInt {
    of(try table.view(record).contentHash)
  }
}
