import Foundation
import LMDB

extension DatabaseConfigurable {
  /// Closes the store. Writes in the queue are committed first. A store in memory is deleted.
  ///
  /// The next use of the repository, on any thread, opens the store again without an error; a store in memory
  /// is then empty. To stop using the store, first end the tasks that use the repository, or use a ``Store``,
  /// whose writes and queries fail with `storeClosed` after it was closed.
  public func close() { StoreRegistry.shared.close(self) }

  /// Reduces the store's file to the size of its contents. A compacted copy replaces the file, and the store
  /// stays open.
  ///
  /// In the meantime, writes of this process wait; reads wait only while the files are exchanged. A crash
  /// leaves the old file or the new one; a leftover copy is removed when the store is next opened. A store in
  /// memory is unchanged.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` if another process has the store open or keeps writing to
  ///   it, in a `read { }` of the store, and if reads of other threads do not end within ten seconds;
  ///   `nestedWrite` in a write; `readOnlyStore`, `storeFull`. The store is then unchanged and open.
  public func compact() throws { try StoreRegistry.shared.compact(self) }

  /// Closes the store and deletes its files. If the store does not exist, nothing happens.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` if another process, or another handle of this process, has
  ///   the store open, and in a `read { }` of it. The files are then unchanged, and the next use opens the
  ///   store again. `nestedWrite` in a write; `cannotOpen` and `inputOutput` if the files cannot be deleted.
  public func deleteStore() throws { try StoreRegistry.shared.delete(self) }

  /// Returns a Boolean value that indicates whether the store has files or is open in memory. The store is
  /// not opened.
  ///
  /// - Throws: ``FiefError`` if the repository does not describe a valid store, for example of code
  ///   `invalidStoreName` or `ambiguousRepository`.
  public func storeExists() throws -> Bool { try StoreRegistry.shared.exists(self) }

  /// Returns an overview of the store's contents: sizes and counts, in constant time for each type. If the
  /// store is open with more types, only the types that the repository declares are included.
  public func overview() throws -> StoreOverview {
    let store = store()
    return try store.core().overview(of: store.visible)
  }
}

extension Store {
  /// Closes the store for the whole process. Writes in the queue are committed first. A store in memory is
  /// deleted.
  ///
  /// Every handle of the store then fails with `storeClosed`; opening the store again returns a new handle.
  /// Nothing happens if the store is closed already or could not be opened.
  public func close() {
    if let core = openedCore { StoreRegistry.shared.close(core) }
  }
}

extension StoreAccess {
  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameter directory: the directory of the copy, which must not exist. Missing parent directories are
  ///   created.
  /// - Throws: ``FiefError`` of code `cannotOpen` if the directory exists or its parents cannot be created,
  ///   `storeFull` if the disk is full. Nothing is left behind in these cases.
  public func backup(to directory: String) throws {
    let core = try store().core()
    do {
      try StoreLocation.withParents(of: directory) { try core.environment.copy(to: $0) }
    } catch { throw core.described(error) }
  }
}
