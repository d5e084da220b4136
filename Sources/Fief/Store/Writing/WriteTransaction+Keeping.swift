import LMDB

/// Large collections of live objects: they outlive the objects' records.
extension WriteTransaction {
  /// Keeps the elements of a collection that a deletion removes in the instances of its owner that the application holds.
  func keep(_ collection: LargeCollection, of owner: RecordWriter.Owner) throws {
    let id = IdentityMap.Key(table: owner.table.entry.id, key: owner.key)
    for object in instances(of: id) {
      try object.keep(collection, of: owner.collection.column, context: context)
    }
  }

  private func instances(of id: IdentityMap.Key) -> [ObjectBase] {
    let others = aliases.values.filter { $0.id == id }.map(\.object)
    guard live.isHeldElsewhere(id), let object = live[id] else { return others }
    return others + [object]
  }

  /// Keeps the large collections of all live objects of a type, which are deleted together.
  func keepCollections(of table: Table) throws {
    guard let records = table.records, !table.collections.isEmpty, live.count > 0 else { return }
    let transaction = try liveTransaction()
    guard try writer.tables.collectionTree(in: transaction) != nil else { return }
    let ids = live.all.map(\.0)
    for id in ids where id.belongs(to: table.entry.id) && live.isHeldElsewhere(id) {
      guard let object = live[id] else { continue }
      let key = try store.binding(of: Swift.type(of: object)).key(of: object)
      guard let record = try key.withUnsafeBytes({ try transaction.get(records, $0) }) else { continue }
      let view = try table.view(record)
      for column in table.collections {
        try table.payload(of: column.column, in: view) { payload in
          guard let marker = try payload.flatMap({ try CollectionMarker($0) }) else { return }
          let collection = try LargeCollection.at(
            marker,
            type: column.column.type,
            tables: writer.tables,
            in: transaction
          )
          try key.withUnsafeBytes { try keep(collection, of: RecordWriter.Owner(column, table, $0)) }
        }
      }
    }
  }

  /// Lets the objects leave the write with the records that it commits: a collection that they have not loaded is read from
  /// these.
  func renewRecords() throws {
    guard writer.collectionChanges != 0 else { return }
    let transaction = try liveTransaction()
    for (_, object) in live.all { try object.renewRecord(in: transaction) }
    for alias in aliases.values { try alias.object.renewRecord(in: transaction) }
  }
}
