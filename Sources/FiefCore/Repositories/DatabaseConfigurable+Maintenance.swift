import Foundation
import LMDB

extension DatabaseConfigurable {
  /// Closes the store: works in the write queue are committed, then the files are closed. A store in memory
  /// is deleted.
  ///
  /// The next use of the repository, on any thread, opens the store again without an error; a store in memory is then empty. To end the use for good, end the tasks that use the repository first, or
  /// hold a ``Store``, whose writes and queries fail with `storeClosed` after it was closed.
  public func close() { StoreRegistry.shared.close(self) }

  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameter directory: the directory of the copy, which must not exist. Parents that are missing are made.
  /// - Throws: ``FiefError`` of code `cannotOpen` where the directory exists or its parents cannot be made,
  ///   `storeFull` where the disk is full; nothing is left behind then.
  public func backup(to directory: String) throws {
    try store().backup(to: directory)
  }

  /// Makes the store's file as small as its contents: a compacted copy replaces it, and the store stays open.
  ///
  /// Writes of this process wait meanwhile, reads only while the files are exchanged. A crash leaves the old file or
  /// the new one; the copy that it may leave too is removed when the store is next opened. A store in memory is left
  /// as it is.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` where another process has the store open or keeps writing to it,
  ///   inside of a `read { }` of the store, and where reads of other threads do not end within ten seconds;
  ///   `nestedWrite` inside of a write; `readOnlyStore`, `storeFull`. The store is then as it was, and open.
  public func compact() throws { try StoreRegistry.shared.compact(self) }

  /// Closes the store and deletes its files. A store that does not exist is no error.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` where another process, or another handle of this one, has the store
  ///   open, and inside of a `read { }` of it: the files are then as they were, and the next use opens the store
  ///   again. `nestedWrite` inside of a write; `cannotOpen` and `inputOutput` where the files cannot be deleted.
  public func deleteStore() throws { try StoreRegistry.shared.delete(self) }

  /// Whether the store has files, or is open in memory. Opens nothing.
  ///
  /// - Throws: ``FiefError`` where the repository describes no store: `invalidStoreName`, `ambiguousRepository` and others.
  public func storeExists() throws -> Bool { try StoreRegistry.shared.exists(self) }

  /// The content of the store: sizes and counts, in constant time for each type. If the store is open with
  /// more types, only the types that the repository declares are included.
  public func overview() throws -> StoreOverview {
    let store = store()
    return try store.core().overview(of: store.visible)
  }
}

extension Store {
  /// Closes the store for the whole process: works in the write queue are committed first. A store in memory
  /// is deleted.
  ///
  /// Every handle of it fails with `storeClosed` from then on; opening it again gives a new one. A store that is closed or
  /// could not be opened is left.
  public func close() {
    if let core = openedCore { StoreRegistry.shared.close(core) }
  }

  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameter directory: the directory of the copy, which must not exist. Parents that are missing are made.
  /// - Throws: as ``DatabaseConfigurable/backup(to:)``.
  public func backup(to directory: String) throws {
    let core = try core()
    do {
      try StoreLocation.withParents(of: directory) { try core.environment.copy(to: $0) }
    } catch { throw core.described(error) }
  }
}
