/// Something worth knowing that happened in a store; given to the repository's event handler.
public enum StoreEvent: Sendable {
  /// The store was opened.
  case opened(store: String, directory: String)
  /// A migration is running. Told at the beginning and the end of each part of it, and in between about
  /// every thousand objects.
  case migrating(MigrationProgress)
  /// A migration was committed.
  case migrated(store: String, from: UInt64, to: UInt64)
  /// A link or a collection could not be read, and read as nil or empty.
  case failedRead(store: String, type: String?, property: String?, error: any Error)
  /// An index beyond the end of a collection was read or written; nothing was changed.
  case indexOutOfBounds(store: String, type: String?, index: Int, count: Int)
  /// A write to several stores is not finished in a store, and could not be finished when it was opened; it
  /// is tried again when the store is next written to or opened.
  case unfinishedWrite(FiefError)
  /// The library was used in a way that is an error where nothing could be thrown; nothing was changed.
  case misuse(FiefError)
  /// The store was closed.
  case closed(store: String)
}
