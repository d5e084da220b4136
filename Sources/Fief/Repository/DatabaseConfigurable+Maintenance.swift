import Foundation

extension DatabaseConfigurable {
  /// Closes the store: what waits in the write queue is committed, then the files are let go. A store in
  /// memory is gone. The next use opens it again.
  public func close() { StoreRegistry.shared.close(self) }

  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameter directory: where the copy goes; it must not exist.
  /// - Throws: ``FiefError`` of code `cannotOpen` where the directory exists, `storeFull` where there is no
  ///   room; nothing is left behind then.
  public func backup(to directory: String) throws {
    let core = try store().core()
    do { try core.environment.copy(to: directory) } catch { throw core.described(error) }
  }

  /// Makes the store's file as small as its contents: the store is closed, replaced by a compacted copy
  /// and opened at its next use. A crash leaves the old file or the new one.
  ///
  /// - Throws: ``FiefError``; the store is then as it was.
  public func compact() throws { try StoreRegistry.shared.compact(self) }

  /// Closes the store and deletes its files. A store that does not exist is no error.
  ///
  /// - Throws: ``FiefError`` where the files cannot be deleted.
  public func deleteStore() throws { try StoreRegistry.shared.delete(self) }
}
