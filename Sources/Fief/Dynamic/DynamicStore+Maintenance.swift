import Foundation
import LMDB

extension DynamicStore {
  /// Looks at every page of the file: whether the trees are whole. Nothing inside of records is looked at.
  ///
  /// - Returns: the number of entries of all trees.
  /// - Throws: ``FiefError`` of code `damagedStore` that names the page.
  @discardableResult
  public func verifyStructure() throws -> Int {
    do { return try environment.verify().entries } catch { throw FiefError.described(error, store: name) }
  }

  /// Compares everything in the store: records, checksums, indexes, links and catalogue.
  ///
  /// - Returns: what was found; the store is whole where its `problems` are empty.
  /// - Throws: ``FiefError`` where the store cannot be read at all.
  public func check() throws -> StoreCheck {
    try read { try StoreChecker(tables: $0.tables, transaction: $0.transaction).run() }
  }

  /// Writes a compacted copy of the store into a new directory while it is in use.
  ///
  /// - Parameter directory: must not exist; the copy appears there complete and verified, or not at all.
  /// - Throws: ``FiefError`` of code `cannotOpen` where it exists, `storeFull`.
  public func backup(to directory: String) throws {
    do { try environment.copy(to: directory) } catch { throw FiefError.described(error, store: name) }
  }

  /// Closes the store and replaces its file by a compacted copy. A crash leaves the old file or the new one.
  ///
  /// - Throws: ``FiefError`` of code `readOnlyStore`; `storeInUse` where somebody else has the store open, in
  ///   this process or another, or has written to it meanwhile; with the old file in place.
  public func compact() throws {
    if isReadOnly {
      throw FiefError(.readOnlyStore, "The store was opened for reading only.", store: name)
    }
    let copy = directory + ".compact"
    do {
      defer { try? StoreLocation.removeDirectory(copy) }
      if FileManager.default.fileExists(atPath: copy) { try StoreLocation.removeDirectory(copy) }
      let before = try environment.statistics().lastTransaction
      try environment.copy(to: copy)
      close()
      guard environment.isClosed else {
        throw FiefError(
          .storeInUse,
          "The store is open elsewhere in this process; close it there first.",
          store: name,
          path: directory
        )
      }
      try StoreExchange.replaceData(of: directory, byCopyIn: copy, ifNewest: before)
    } catch {
      throw FiefError.described(error, store: name)
    }
  }
}
