import Foundation

/// A noteworthy occurrence in a store, passed to the repository's event handler.
///
/// If there is no handler, events with ``isFailure`` and ``longReader(store:_:heldBytes:fileBytes:)`` are
/// written to standard error. Errors that are thrown are not events.
public enum StoreEvent: Sendable {
  /// The store was opened.
  case opened(store: String, directory: String)
  /// A migration is running. This is reported at the beginning and the end of each part, and in between about
  /// every thousand objects.
  case migrating(MigrationProgress)
  /// A migration was committed.
  case migrated(store: String, from: UInt64, to: UInt64)
  /// A migration has dropped values because the classes no longer have their property or type. The property
  /// or type may have been renamed in the code but not in the migration block; in this case restore a backup
  /// from before the migration. Values that the block has read or discarded are not reported.
  ///
  /// The migration searches the first 10,000 objects of the type for values of the property. If it finds no
  /// value and the type has more objects, it also sends the event, since it may have dropped values.
  case droppedValues(store: String, DroppedValues)
  /// The store's file was compacted before it was opened, as requested by
  /// ``StoreOptions/shouldCompactOnLaunch``. The values are its size in bytes before and after.
  case compacted(store: String, before: Int, after: Int)
  /// The store's file could not be compacted before it was opened. The file is unchanged.
  case compactionFailed(store: String, error: FiefError)
  /// The store could not be opened, and a use of it that cannot throw returned nothing.
  case failedOpening(store: String, error: any Error)
  /// Something could not be read, and was returned as nil or empty.
  case failedRead(store: String, type: String?, property: String?, error: any Error)
  /// A write without a handler, for which no caller waits, failed. The store does not contain its changes.
  case failedWrite(store: String, error: any Error)
  /// A cached object could not be refreshed after a call that did not wait for it, or expired objects could
  /// not be swept after the store was opened. The failed commit has changed nothing; objects that earlier
  /// commits of the sweep deleted stay deleted.
  case failedCaching(store: String, type: String?, error: any Error)
  /// Background work of the store has failed. The call that caused it succeeded. There are two possible
  /// causes. Either the system refused a larger map after a commit and the store could not be opened again;
  /// then reads fail until a write has opened it. Or the process has too little address space (`ulimit -v`);
  /// then reads are slower. The handler is called on the store's delivery thread.
  case maintenanceFailed(store: String, error: FiefError)
  /// An index beyond the end of a collection was read or written. Nothing was changed.
  case indexOutOfBounds(store: String, type: String?, index: Int, count: Int)
  /// A reader in this or another process runs for a long time and makes the file grow. Later commits have
  /// freed `heldBytes` of the `fileBytes` of the file, at least a quarter and 1 MiB, which cannot be reused
  /// before the reader ends. A process that writes searches for such readers every ten seconds and when the
  /// file has grown by a quarter. Each reader is reported once, and again when it holds twice as much. The
  /// handler is called on the store's delivery thread, outside of writes.
  case longReader(store: String, StoreReader, heldBytes: Int, fileBytes: Int)
  /// A write to several stores is unfinished in a store, and could not be finished when the store was opened.
  /// It is retried when the store is next written to or opened.
  case unfinishedWrite(FiefError)
  /// The library was used incorrectly, and the error could not be thrown. Nothing was changed.
  case misuse(FiefError)
  /// A query has taken longer than ``StoreOptions/slowQueryThreshold``.
  case slowQuery(store: String, SlowQuery)
  /// A query of a JSON tree has read all children of its place because no index serves it. The event is
  /// reported once for each order and each kind of place.
  case unindexedTreeQuery(store: String, UnindexedTreeQuery)
  /// A commit has taken longer than ``StoreOptions/slowCommitThreshold``.
  case slowCommit(store: String, SlowCommit)
  /// The access rules of a JSON tree let everyone read and write the whole tree until a date.
  case publicAccess(store: String, until: Date)
  /// The store was closed.
  case closed(store: String)
}
