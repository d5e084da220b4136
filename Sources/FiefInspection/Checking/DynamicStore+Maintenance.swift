import FiefCore
import Foundation
import LMDB

extension DynamicStore {
  /// Checks the structure of the trees in every page of the file. The contents of records are not checked.
  ///
  /// - Returns: the number of entries in all trees.
  /// - Throws: ``FiefError`` of code `damagedStore`, which names the page.
  @discardableResult
  public func verifyStructure() throws -> Int {
    do { return try environment.verify().entries } catch { throw FiefError.described(error, store: name) }
  }

  /// Checks the consistency of the whole store: records, checksums, indexes, links and catalogue.
  ///
  /// - Returns: the findings. The store is consistent if `problems` is empty.
  /// - Throws: ``FiefError`` if the store cannot be read at all.
  public func check() throws -> IntegrityReport {
    try read { try StoreChecker(tables: $0.tables, transaction: $0.transaction).run() }
  }

  /// Writes a compacted copy of the store to a new directory, while the store may be in use.
  ///
  /// - Parameter directory: a path that does not exist yet; missing parents are created. The copy appears
  ///   there complete and verified, or not at all.
  /// - Throws: ``FiefError`` of code `cannotOpen` if the directory exists, or `storeFull`.
  public func backup(to directory: String) throws {
    do { try StoreLocation.withParents(of: directory) { try environment.copy(to: $0) } } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// Replaces the store's file with a compacted copy, and closes the store. A crash leaves either the old
  /// file or the new one.
  ///
  /// - Throws: ``FiefError`` of code `readOnlyStore`; `storeInUse` in a `read { }`, or if the store is open
  ///   elsewhere in this process or another, or keeps being written to. The old file is then in place and the
  ///   store is open.
  public func compact() throws {
    if isReadOnly {
      throw FiefError(.readOnlyStore, "The store was opened for reading only.", store: name)
    }
    guard !environment.isShared else {
      throw FiefError(
        .storeInUse,
        "The store is open elsewhere in this process; close it there first.",
        store: name,
        path: directory
      )
    }
    do { _ = try environment.compact() } catch { throw FiefError.described(error, store: name) }
    close()
  }
}
