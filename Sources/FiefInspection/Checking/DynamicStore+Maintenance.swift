import FiefCore
import Foundation
import LMDB

extension DynamicStore {
  /// Checks the structure of the trees in every page of the file. The contents of records are not checked.
  ///
  /// - Returns: the number of entries of all trees.
  /// - Throws: ``FiefError`` of code `damagedStore` that names the page.
  @discardableResult
  public func verifyStructure() throws -> Int {
    do { return try environment.verify().entries } catch { throw FiefError.described(error, store: name) }
  }

  /// Compares everything in the store: records, checksums, indexes, links and catalogue.
  ///
  /// - Returns: the findings; the store is consistent where its `problems` are empty.
  /// - Throws: ``FiefError`` where the store cannot be read at all.
  public func check() throws -> IntegrityReport {
    try read { try StoreChecker(tables: $0.tables, transaction: $0.transaction).run() }
  }

  /// Writes a compacted copy of the store into a new directory while it is in use.
  ///
  /// - Parameter directory: must not exist, and its parents are made where they are missing; the copy appears there complete and verified, or not at all.
  /// - Throws: ``FiefError`` of code `cannotOpen` where it exists, `storeFull`.
  public func backup(to directory: String) throws {
    do { try StoreLocation.withParents(of: directory) { try environment.copy(to: $0) } } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// Replaces the store's file by a compacted copy, and closes the store. A crash leaves the old file or the new one.
  ///
  /// - Throws: ``FiefError`` of code `readOnlyStore`; `storeInUse` inside of a `read { }`, and where the store is
  ///   open elsewhere, in this process or another, or keeps writing to it: with the old file in place, and the store
  ///   open.
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
