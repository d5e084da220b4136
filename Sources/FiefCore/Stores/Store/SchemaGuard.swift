import Foundation
import LMDB
import Synchronization

/// A check that the store's file still has the schema with which the store was opened. Another process may
/// migrate the file.
///
/// Each transaction is checked. Only the first transaction after commits of other processes reads the
/// catalogue; all later transactions compare two numbers.
package final class SchemaGuard: Sendable {
  private let schemaVersion: UInt64
  private let storeID: [UInt8]
  /// The fingerprint of the Unicode tables that indexes depend on; nil if no index depends on them.
  private let unicode: UInt64?
  /// The last commit that is known to have the schema. Schema versions only grow, so all earlier commits have
  /// it too.
  private let known: Atomic<UInt64>
  /// Whether the store may have the marker of a write to several stores.
  private let mayHaveMarkers = Atomic(false)

  /// - Parameters:
  ///   - isOwn: whether no other process can open the store.
  ///   - unicode: the fingerprint of the Unicode tables with which the store's indexes were built; nil if no
  ///     index depends on them.
  init(_ catalogue: Catalogue, isOwn: Bool, unicode: UInt64?) {
    self.unicode = unicode
    schemaVersion = catalogue.schemaVersion
    storeID = withUnsafeBytes(of: catalogue.storeID.uuid) { [UInt8]($0) }
    known = Atomic(isOwn ? .max : 0)
  }

  /// Checks the state of a transaction.
  ///
  /// - Parameter commit: the commit that produced the state.
  /// - Throws: ``FiefError`` of code `schemaChanged` if the schema has changed.
  @inline(__always)
  func check(_ commit: UInt64, _ transaction: LMDB.Transaction, _ tables: StoreTables) throws {
    if commit <= known.load(ordering: .relaxed) { return }
    try look(commit, transaction, tables)
  }

  /// Records a commit of this process, which began with a checked state.
  ///
  /// - Parameter commit: the number of a commit that changed something. A commit without changes must not be
  ///   recorded, because its number is used again.
  func note(_ commit: UInt64) { known.max(commit, ordering: .relaxed) }

  /// Makes the writes of this process check for markers until they find none.
  package func expectMarkers() { mayHaveMarkers.store(true, ordering: .sequentiallyConsistent) }

  /// Checks for markers of writes to several stores.
  ///
  /// - Throws: ``JointPending`` if there are markers.
  @inline(__always)
  func checkMarkers(_ transaction: LMDB.WritableTransaction, _ tables: StoreTables) throws {
    if mayHaveMarkers.load(ordering: .relaxed) { try lookForMarkers(transaction, tables) }
  }

  @inline(never)
  private func lookForMarkers(_ transaction: LMDB.WritableTransaction, _ tables: StoreTables) throws {
    // Cleared before the search. A reader that finds a marker in a later commit sets the flag after this.
    mayHaveMarkers.store(false, ordering: .sequentiallyConsistent)
    guard try JointRows.hasRows(JointRows.markers, tables.catalogueTree, in: transaction) else { return }
    expectMarkers()
    throw JointPending()
  }

  @inline(never)
  private func look(_ commit: UInt64, _ transaction: LMDB.Transaction, _ tables: StoreTables) throws {
    try Catalogue.key.withUnsafeBytes { key in
      guard let bytes = try transaction.get(tables.catalogueTree, key), bytes.count >= 28 else {
        throw Catalogue.damaged
      }
      // The schema version follows the format in every version of the format.
      let version = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      guard version == schemaVersion, bytes[12..<28].elementsEqual(storeID) else {
        throw FiefError(
          .schemaChanged,
          "Another process has migrated the store; close it and open it again.",
          store: tables.storeName,
          details: [
            "the store's version when it was opened: \(schemaVersion)",
            "the store's version now: \(version)",
          ]
        )
      }
    }
    if let unicode, try !UnicodeTables.isStored(unicode, tables.catalogueTree, in: transaction) {
      throw FiefError(
        .schemaChanged,
        "A process with different Unicode tables has rebuilt the store's text indexes; close it and open it again.",
        store: tables.storeName
      )
    }
    // This must come before the commit counts as known: a reader that relies on a known commit must find its
    // markers recorded.
    if try JointRows.hasRows(JointRows.markers, tables.catalogueTree, in: transaction) { expectMarkers() }
    note(commit)
  }
}
