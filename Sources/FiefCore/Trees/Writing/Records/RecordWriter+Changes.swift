import LMDB

/// The changes of a write, for observers.
extension RecordWriter {
  /// The changes since the last call; nil where the store is not observed.
  func takeChanges() -> ChangeSet? { collector?.take() }

  /// Notes the changes from the stored record to one that is about to be written.
  ///
  /// - Parameter old: may be in a page, which nothing has been written to since it was read.
  func noteChange(
    of key: UnsafeRawBufferPointer,
    from old: UnsafeRawBufferPointer,
    to new: UnsafeRawBufferPointer,
    in table: Table,
    _ collector: ChangeCollector
  ) throws {
    collector.modify(key, table, try RecordDifference(table, tables).columns(old, new))
  }

  /// Notes that a large collection has other elements, or the same in another order.
  func noteContents(of owner: Owner) {
    collector?.modify(owner.key, owner.table, ColumnSet(CollectionOfOne(owner.collection.column.id)))
  }
}
