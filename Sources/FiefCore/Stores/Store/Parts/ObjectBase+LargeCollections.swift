import LMDB

/// Large collections of an object that are not loaded.
///
/// Outside a scope, they have the elements of the state in which the object was read. If other writes have
/// changed or removed them since, reading them is an error. In a scope, they have the elements of its
/// transaction.
extension ObjectBase {
  /// Returns the elements of a large collection in the scope, or in the state in which the object's record
  /// was read.
  ///
  /// - Throws: ``FiefError`` of code `conflict` or `objectNotFound` if the collection was changed or removed
  ///   since then.
  func largePayload(_ marker: CollectionMarker, columnID: UInt16) throws -> [UInt8] {
    guard let record = _record, let column = record.binding.table.entry.column(columnID) else {
      throw FiefError.staleCollection(exists: false)
    }
    guard let scope = _context?.currentScope else {
      return try record.elements(of: column, for: self, _context)
    }
    try scope.prepareForReading()
    let tables = (scope as? WriteTransaction)?.writer.tables ?? scope.store.tables
    let transaction = try scope.liveTransaction()
    let collection = try LargeCollection.at(marker, type: column.type, tables: tables, in: transaction)
    if try collection.count() != nil { return try collection.recordPayload() }
    // A write may have made the collection small.
    let payload = try storedPayload(of: column, in: transaction) ?? [0]
    return try payload.withUnsafeBytes { bytes in
      guard let marker = try CollectionMarker(bytes) else { return payload }
      return try LargeCollection.at(marker, type: column.type, tables: tables, in: transaction)
        .recordPayload()
    }
  }

  /// Returns the payload of a column in the object's record in a transaction, or nil if the object does not
  /// exist there.
  func storedPayload(of column: ColumnEntry, in transaction: LMDB.Transaction) throws -> [UInt8]? {
    guard let binding = _record?.binding, let records = binding.table.records else { return nil }
    return try binding.key(of: self).withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return nil }
      var result: [UInt8]?
      try binding.table.payload(of: column, in: try binding.table.view(record)) {
        result = $0.map { [UInt8]($0) }
      }
      return result
    }
  }

  /// Loads the large collections of an object that is about to be deleted, so that it can be saved again.
  func keepForDeletion() { if _context?.reads == nil { keepLargeCollections() } }

  /// Loads the large collections of an object before the store removes it, or before it is saved under
  /// another key.
  ///
  /// A collection that cannot be read stays unread, and its next use reports the error.
  func keepLargeCollections() {
    guard let table = _record?.binding.table else { return }
    for collection in table.collections where hasUnloadedCollection(collection.column) {
      let column = collection.column
      guard let marker = marker(of: column),
        let elements = try? largePayload(marker, columnID: column.id)
      else { continue }
      keep(elements, of: column)
    }
  }

  /// Returns the reference to a large collection in the object's record.
  private func marker(of column: ColumnEntry) -> CollectionMarker? {
    try? _record?.withPayload(ofColumn: column.id) { try CollectionMarker($0) } ?? nil
  }

  private func property(of column: ColumnEntry) -> PropertyDescriptor? {
    descriptor.properties.first { $0.column == column.name }
  }

  /// Returns the collection of a property if it was read in a scope and its elements are only in the store.
  private func touchedCollection(_ property: PropertyDescriptor) -> OwnedCollection? {
    guard property.access == .collection, let held = valueInMemory(of: property) as? OwnedCollection,
      held.largeAccess != nil
    else { return nil }
    return held
  }

  /// Whether the elements of a large collection are not in memory: it was not accessed, or it was accessed in
  /// a scope.
  func hasUnloadedCollection(_ column: ColumnEntry) -> Bool {
    guard let property = property(of: column) else { return false }
    return touchedCollection(property) != nil || isDeferred(property) && marker(of: column) != nil
  }

  /// Puts the elements of a large collection into the object's record, from which the next use of the
  /// collection reads them.
  ///
  /// The elements are not decoded here: the deletion may be rolled back, so it must not read linked objects.
  private func keep(_ elements: [UInt8], of column: ColumnEntry) {
    guard let property = property(of: column), let kept = try? _record?.replacing(column.id, with: elements)
    else { return }
    _record = kept
    if descriptor.isEncodable { describeDeferredValue(of: property) }
  }

  /// Keeps the elements of a collection that a write is about to delete. If they could not be read, the next
  /// use of the collection reports the error.
  func keep(_ elements: Result<[UInt8], any Error>, of column: ColumnEntry) {
    switch elements {
    case .success(let elements): keep(elements, of: column)
    case .failure(let error): property(of: column).flatMap(touchedCollection)?.noteUnread(error)
    }
  }

  /// Returns the record that a write is about to commit, if it differs from the object's record. Collections
  /// that are not loaded are later read from it.
  func renewedRecord(in transaction: LMDB.Transaction) throws -> RecordCopy? {
    guard let record = _record, let records = record.binding.table.records, try record.hasLargeCollections
    else { return nil }
    let stored = try record.binding.key(of: self).withUnsafeBytes { try transaction.get(records, $0) }
    guard let stored, !stored.elementsEqual(record.bytes) else { return nil }
    let stamp = record.stamp == 0 ? 0 : try RecordStamp.of(stored, record.binding.table)
    return RecordCopy(stored, binding: record.binding, stamp: stamp)
  }

  /// Records the elements that were read. A save of the object can then check that they are unchanged.
  fileprivate func noteContents(_ read: ReadContents) {
    guard let record = _record, record.stamp != 0, !record.contents.contains(read) else { return }
    let isAnother = record.contents.contains { $0.column == read.column }
    _record = record.noting(isAnother ? ReadContents(ofSeveralStatesOf: read.column) : read)
  }
}

extension RecordCopy {
  /// Whether the record contains a large collection.
  var hasLargeCollections: Bool {
    get throws {
      for id in binding.table.collectionIDs
      where try withPayload(ofColumn: id, { CollectionMarker.isMarker($0) }) ?? false { return true }
      return false
    }
  }

  /// Returns the elements that a collection had when the record was read.
  ///
  /// - Parameters:
  ///   - object: the object of the record, which records the elements; nil if it was released.
  ///   - context: the context of the object.
  func elements(of column: ColumnEntry, for object: ObjectBase?, _ context: ObjectContext?) throws -> [UInt8]
  {
    let payload = try withPayload(ofColumn: column.id) { [UInt8]($0) } ?? [0]
    guard let marker = try payload.withUnsafeBytes({ try CollectionMarker($0) }) else { return payload }
    guard let store = context?.storeOfRecords else {
      throw FiefError(.storeClosed, "The collection cannot be read without its store.")
    }
    let elements: [UInt8]
    do {
      elements = try store.read { transaction in
        // The elements were recorded with the object. If they have changed in the meantime, the attempt ends
        // without a commit.
        _ = try context?.reads?.willRead(in: transaction)
        let collection = try LargeCollection.at(
          marker,
          type: column.type,
          tables: store.tables,
          in: transaction
        )
        if try collection.isUnchanged(since: marker) { return try collection.recordPayload() }
        throw try staleness(of: marker, column, object, in: transaction)
      }
    } catch var error as FiefError {
      error.store = error.store ?? store.name
      error.type = error.type ?? binding.table.name
      error.property = error.property ?? binding.table.propertyName(column)
      if let object, error.key == nil, let key = try? binding.key(of: object) {
        error.key = binding.table.text(ofKey: key)
      }
      throw error
    }
    object?.noteContents(ReadContents(column: column.id, payload: elements))
    return elements
  }

  /// Returns the error for a collection that does not match the record, because it was changed or is damaged.
  private func staleness(
    of marker: CollectionMarker,
    _ column: ColumnEntry,
    _ object: ObjectBase?,
    in transaction: LMDB.Transaction
  ) throws -> any Error {
    guard let object, let records = binding.table.records,
      let stored = try binding.key(of: object).withUnsafeBytes({ try transaction.get(records, $0) })
    else { return FiefError.staleCollection(exists: false) }
    var present: CollectionMarker?
    try binding.table.payload(of: column, in: try binding.table.view(stored)) {
      present = try $0.flatMap { try CollectionMarker($0) }
    }
    return present == marker ? RecordView.damaged : FiefError.staleCollection(exists: true)
  }

  /// Returns the same record with a different payload of a collection.
  func replacing(_ column: UInt16, with payload: [UInt8]) throws -> RecordCopy {
    let changed = try bytes.withUnsafeBytes { bytes in
      try RecordEditor.replacing(try binding.table.view(bytes)) { $0 == column ? payload : nil }
    }
    return changed.withUnsafeBytes { RecordCopy($0, binding: binding, stamp: stamp) }
  }
}
