import LMDB

/// Large collections of live objects, which outlive the objects' records.
extension WriteTransaction {
  /// Keeps the collections of a record that is about to be deleted, in the instances of its object that the
  /// application holds.
  ///
  /// - Parameter writer: the writer that deletes the record, perhaps in a nested transaction.
  func keepCollections(
    of record: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    in table: Table,
    _ writer: RecordWriter
  ) {
    // Collections that were kept by a deletion of all objects of a type are not read again when the record is
    // deleted.
    let objects = instances(of: IdentityMap.Key(table: table.entry.id, key: key)).filter {
      keptObjects.insert(ObjectIdentifier($0)).inserted
    }
    if objects.isEmpty { return }
    for collection in table.collections {
      let column = collection.column
      let unloaded = objects.filter { $0.hasUnloadedCollection(column) }
      if unloaded.isEmpty { continue }
      let elements = Result { try writer.elements(of: column, in: record, table) }
      for object in unloaded {
        undo.noteRecord(of: object)
        object.keep(elements, of: column)
      }
    }
  }

  private func instances(of id: IdentityMap.Key) -> [ObjectBase] {
    let others = aliases.of(id).map(\.object)
    guard live.isHeldElsewhere(id), let object = live[id] else { return others }
    return others + [object]
  }

  /// Keeps the large collections of all live objects of a type, which are deleted together.
  func keepCollections(of table: Table, _ writer: RecordWriter) throws {
    guard let records = table.records, !table.collections.isEmpty, live.count > 0,
      try writer.tables.collectionTree(in: writer.transaction) != nil
    else { return }
    let ids = live.all.map(\.0)
    for id in ids where id.belongs(to: table.entry.id) && live.isHeldElsewhere(id) {
      guard let object = live[id] else { continue }
      let key = try store.binding(of: Swift.type(of: object)).key(of: object)
      try key.withUnsafeBytes { key in
        guard let record = try writer.transaction.get(records, key) else { return }
        keepCollections(of: record, key: key, in: table, writer)
      }
    }
  }

  /// Calls a closure that deletes objects. If it fails, live objects read their collections from the store
  /// again.
  func keepingCollections<Value>(_ body: () throws -> Value) throws -> Value {
    defer { keptObjects = [] }
    return try undo.step(body)
  }

  /// Gives the objects the records that the write commits. A collection that they have not loaded is later
  /// read from these records.
  func renewRecords() throws {
    guard writer.collectionChanges != 0 else { return }
    let transaction = try liveTransaction()
    for (_, object) in live.all { try renewRecord(of: object, in: transaction) }
    for alias in aliases.all { try renewRecord(of: alias.object, in: transaction) }
  }

  private func renewRecord(of object: ObjectBase, in transaction: LMDB.Transaction) throws {
    if let record = try object.renewedRecord(in: transaction) { give(record, to: object) }
  }

  /// Gives an object a record of this write. A rollback restores the former record.
  func give(_ record: RecordCopy, to object: ObjectBase) {
    undo.noteRecord(of: object)
    object._record = record
  }
}
