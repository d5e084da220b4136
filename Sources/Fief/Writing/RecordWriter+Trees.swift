import LMDB

/// The trees beside the records: indexes and backlinks.
extension RecordWriter {
  /// Brings indexes and backlinks from what `old` has to what `new` has.
  func updateTrees(
    of table: Table,
    key: UnsafeRawBufferPointer,
    old: UnsafeRawBufferPointer?,
    new: UnsafeRawBufferPointer?
  ) throws {
    let oldView = try old.map { try table.view($0) }
    let newView = try new.map { try table.view($0) }
    let objectKey = [UInt8](key)
    for index in table.indexes {
      let before = try oldView.map { try Self.element(of: index.column, in: $0, key: key, table) }
      let after = try newView.map { try Self.element(of: index.column, in: $0, key: key, table) }
      guard before != after else { continue }
      if let before { try remove(CompositeKey(first: before, second: objectKey), from: index.database) }
      if let after { try add(CompositeKey(first: after, second: objectKey), to: index.database) }
    }
    for link in table.links {
      let before = try oldView.map { try Self.targets(of: link.column, in: $0, table) } ?? []
      let after = try newView.map { try Self.targets(of: link.column, in: $0, table) } ?? []
      for target in before.subtracting(after) {
        try remove(CompositeKey(first: target, second: objectKey), from: link.backlinks)
      }
      for target in after.subtracting(before) {
        try add(CompositeKey(first: target, second: objectKey), to: link.backlinks)
        newLinks?.append(NewLink(table: table, column: link.column, key: objectKey, target: target))
      }
    }
  }

  private func add(_ entry: CompositeKey, to database: Database) throws {
    try entry.key.withUnsafeBytes { key in
      try entry.value.withUnsafeBytes { try transaction.put(database, key, $0) }
    }
  }

  private func remove(_ entry: CompositeKey, from database: Database) throws {
    _ = try entry.key.withUnsafeBytes { try transaction.delete(database, $0) }
  }

  /// The index element for a column's value in a record.
  static func element(
    of column: ColumnEntry,
    in view: RecordView,
    key: UnsafeRawBufferPointer,
    _ table: Table
  ) throws -> [UInt8] {
    var encoder = KeyEncoder()
    if let part = table.primaryKey.firstIndex(where: { $0.id == column.id }) {
      var decoder = KeyDecoder(key)
      for _ in 0..<part { try decoder.skip() }
      let rest = decoder.remaining
      try decoder.skip()
      encoder.append(raw: UnsafeRawBufferPointer(rebasing: rest[..<(rest.count - decoder.remaining.count)]))
      return encoder.bytes
    }
    try table.payload(of: column, in: view) {
      try KeyCoding.append($0, kind: column.type.kind, to: &encoder)
    }
    return encoder.bytes
  }

  /// The keys that a column of links leads to.
  static func targets(of column: ColumnEntry, in view: RecordView, _ table: Table) throws -> Set<[UInt8]> {
    var targets: Set<[UInt8]> = []
    try table.payload(of: column, in: view) { payload in
      guard let payload else { return }
      if column.type.container == .none {
        targets.insert([UInt8](payload))
      } else {
        try CollectionPayload.forEach(payload, type: column.type) { _, element in
          if let element { targets.insert([UInt8](element)) }
        }
      }
    }
    return targets
  }

  /// A link that a save has made.
  typealias NewLink = Link
  /// A link to a deleted object that was cleared.
  typealias ClearedLink = Link

  /// A link from one object to another.
  struct Link {
    let table: Table
    let column: ColumnEntry
    let key: [UInt8]
    let target: [UInt8]
  }

  /// Clears the new links to objects that others have deleted since they were read: the outcome is that of
  /// the save before the deletion.
  func dropLinksToNothing() throws {
    guard let links = newLinks else { return }
    newLinks = nil
    for link in links {
      let records = link.column.type.target.flatMap { tables[$0]?.records }
      let exists = try records.map { records in
        try link.target.withUnsafeBytes { try transaction.get(records, $0) } != nil
      }
      if exists == true { continue }
      try link.key.withUnsafeBytes {
        try removeLink(to: link.target, column: link.column, key: $0, from: link.table)
      }
    }
  }

  /// Clears every link to an object that was deleted, and takes it out of every collection.
  func nullifyLinks(to target: [UInt8], of targetTable: Table) throws {
    for table in tables.all {
      for link in table.links where link.column.type.target == targetTable.name {
        for source in try sources(of: link, to: target) {
          try source.bytes.withUnsafeBytes {
            try removeLink(to: target, column: link.column, key: $0, from: table)
          }
          clearedLinks?.append(
            ClearedLink(table: table, column: link.column, key: source.bytes, target: target)
          )
        }
      }
    }
  }

  private func sources(of link: Table.LinkColumn, to target: [UInt8]) throws -> [ObjectKey] {
    try Backlinks.sources(of: link, to: target, in: transaction)
  }

  private func removeLink(
    to target: [UInt8],
    column: ColumnEntry,
    key: UnsafeRawBufferPointer,
    from table: Table
  ) throws {
    guard let records = table.records, let record = try transaction.get(records, key) else { return }
    let view = try table.view(record)
    let rewritten = try RecordEditor.rewrite(view, table: table) { candidate in
      guard candidate.id == column.id else { return .keep }
      var kept: [UInt8]?
      if column.type.container == .none {
        var leadsThere = false
        try table.payload(of: column, in: view) { leadsThere = $0?.elementsEqual(target) ?? false }
        return leadsThere ? .set(nil) : .keep
      }
      try table.payload(of: column, in: view) { payload in
        if let payload { kept = try CollectionPayload.removing(target, from: payload, type: column.type) }
      }
      return kept.map { .set($0) } ?? .keep
    }
    try rewritten.withUnsafeBytes { try put(key: key, record: $0, into: table) }
  }
}
