/// Something worth knowing that happened in a store; given to the repository's event handler.
///
/// Events with ``isFailure`` go to standard error where there is no handler, and so does
/// ``longReader(store:_:heldBytes:fileBytes:)``. An error that is thrown is no event.
public enum StoreEvent: Sendable {
  /// The store was opened.
  case opened(store: String, directory: String)
  /// A migration is running. Told at the beginning and the end of each part of it, and in between about
  /// every thousand objects.
  case migrating(MigrationProgress)
  /// A migration was committed.
  case migrated(store: String, from: UInt64, to: UInt64)
  /// A migration has dropped values, or may have dropped them in a type with more than 10,000 objects, since the classes no
  /// longer have their property or type. The property or type was perhaps renamed, and the migration block did not say so:
  /// then restore a backup from before the migration. Values that the block has read, or has discarded, are left out.
  ///
  /// The migration searches the first 10,000 objects of the type for values of the property. If it finds no value and the type has more
  /// objects, it sends the event too.
  case droppedValues(store: String, DroppedValues)
  /// The store's file was compacted before it was opened, as ``StoreOptions/shouldCompactOnLaunch`` has asked for; its
  /// size in bytes before and after.
  case compacted(store: String, before: Int, after: Int)
  /// The store's file could not be compacted before it was opened; it is as it was.
  case compactionFailed(store: String, error: FiefError)
  /// The store could not be opened, and a use of it that throws nothing gave nothing.
  case failedOpening(store: String, error: any Error)
  /// Something could not be read, and read as nil or empty.
  case failedRead(store: String, type: String?, property: String?, error: any Error)
  /// A write failed that nothing waits for and that has no handler; nothing of it is in the store.
  case failedWrite(store: String, error: any Error)
  /// The refresh of a cached object behind a call that did not wait for it failed, or the sweep of expired objects after
  /// the opening; nothing of it is in the store.
  case failedCaching(store: String, type: String?, error: any Error)
  /// Work of the store that no call waits for has failed, while the call itself has succeeded. Either the system refused a larger map
  /// after a commit and the store could not be opened again, so that reads fail until a write has opened it; or the process has too little
  /// address space (`ulimit -v`), so that reads are slower. The handler is called on the store's delivery thread.
  case maintenanceFailed(store: String, error: FiefError)
  /// An index beyond the end of a collection was read or written; nothing was changed.
  case indexOutOfBounds(store: String, type: String?, index: Int, count: Int)
  /// A reader of some process lasts long: later commits have freed `heldBytes` of the `fileBytes` of the
  /// file, at least a quarter and 1 MiB, that cannot be used again before it ends, so that the file grows. A
  /// process that writes searches for such readers when the file has grown by a quarter, and every ten
  /// seconds; each reader is reported once, and again when it holds twice as much. The handler is called on
  /// the store's delivery thread, outside of writes.
  case longReader(store: String, StoreReader, heldBytes: Int, fileBytes: Int)
  /// A write to several stores is not finished in a store, and could not be finished when it was opened; it
  /// is tried again when the store is next written to or opened.
  case unfinishedWrite(FiefError)
  /// The library was used wrongly where no error could be thrown; nothing was changed.
  case misuse(FiefError)
  /// A query has taken longer than ``StoreOptions/slowQueryThreshold``.
  case slowQuery(store: String, SlowQuery)
  /// A commit has taken longer than ``StoreOptions/slowCommitThreshold``.
  case slowCommit(store: String, SlowCommit)
  /// The store was closed.
  case closed(store: String)
}
