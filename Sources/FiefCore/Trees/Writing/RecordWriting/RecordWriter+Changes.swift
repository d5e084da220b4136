import LMDB

/// Collects the changes of a write for observers.
extension RecordWriter {
  /// Returns the changes since the last call, or `nil` if the store is not observed.
  func takeChanges() -> ChangeSet? {
    guard var changes = collector?.take() else { return nil }
    if let notes { changes.places = notes.places }
    return changes
  }

  /// Records the changes from the stored record to the record that is about to be written.
  ///
  /// - Parameter old: The stored record. It may be in a page; in this case, nothing was written since it was
  ///   read.
  func noteChange(
    of key: UnsafeRawBufferPointer,
    from old: UnsafeRawBufferPointer,
    to new: UnsafeRawBufferPointer,
    in table: Table,
    _ collector: ChangeCollector
  ) throws {
    collector.modify(key, table, try RecordDifference(table, tables).columns(old, new))
  }

  /// Records that the elements of a large collection, or their order, changed.
  func noteContents(of owner: Owner) {
    collector?.modify(owner.key, owner.table, ColumnSet(CollectionOfOne(owner.collection.column.id)))
  }
}
