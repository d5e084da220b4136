import Foundation
import LMDB
import Synchronization

/// Whether the schema that a store was opened with is still that of its file: another process may migrate it.
///
/// Each transaction checks. Only the first one after commits of others reads the catalogue; all later ones
/// compare two numbers.
package final class SchemaGuard: Sendable {
  private let schemaVersion: UInt64
  private let storeID: [UInt8]
  /// The tables of Unicode that indexes depend on; nil where none does.
  private let unicode: UInt64?
  /// The last commit that is known to have the schema. Schema versions only grow, so that all earlier commits
  /// have it too.
  private let known: Atomic<UInt64>
  /// Whether the store may have the marker of a write to several stores.
  private let mayHaveMarkers = Atomic(false)

  /// - Parameters:
  ///   - isOwn: whether no other process can open the store.
  ///   - unicode: the tables of Unicode that its indexes were made with; nil where none depends on them.
  init(_ catalogue: Catalogue, isOwn: Bool, unicode: UInt64?) {
    self.unicode = unicode
    schemaVersion = catalogue.schemaVersion
    storeID = withUnsafeBytes(of: catalogue.storeID.uuid) { [UInt8]($0) }
    known = Atomic(isOwn ? .max : 0)
  }

  /// Checks the state that a transaction sees.
  ///
  /// - Parameter commit: the commit that made this state.
  /// - Throws: ``FiefError`` of code `schemaChanged`.
  @inline(__always)
  func check(_ commit: UInt64, _ transaction: LMDB.Transaction, _ tables: StoreTables) throws {
    if commit <= known.load(ordering: .relaxed) { return }
    try look(commit, transaction, tables)
  }

  /// Remembers a commit of this process: it began with a state that was checked.
  ///
  /// - Parameter commit: a commit that has changed something; the number of any other one is given again.
  func note(_ commit: UInt64) { known.max(commit, ordering: .relaxed) }

  /// Makes the writes of this process check for markers until there are none.
  package func expectMarkers() { mayHaveMarkers.store(true, ordering: .sequentiallyConsistent) }

  /// Looks for markers of writes to several stores.
  ///
  /// - Throws: ``JointPending`` where there are some.
  @inline(__always)
  func checkMarkers(_ transaction: LMDB.WritableTransaction, _ tables: StoreTables) throws {
    if mayHaveMarkers.load(ordering: .relaxed) { try lookForMarkers(transaction, tables) }
  }

  @inline(never)
  private func lookForMarkers(_ transaction: LMDB.WritableTransaction, _ tables: StoreTables) throws {
    // Cleared first: a reader that finds one in a later commit sets it after that.
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
      // The schema version is behind the format in every format.
      let version = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      guard version == schemaVersion, bytes[12..<28].elementsEqual(storeID) else {
        throw FiefError(
          .schemaChanged,
          "Another process has migrated the store; close it and open it again.",
          store: tables.storeName,
          details: [
            "the version that the store was opened with: \(schemaVersion)",
            "the store's version now: \(version)",
          ]
        )
      }
    }
    if let unicode, try !UnicodeTables.isStored(unicode, tables.catalogueTree, in: transaction) {
      throw FiefError(
        .schemaChanged,
        "A process with other tables of Unicode has rebuilt the store's text indexes; close it and open it again.",
        store: tables.storeName
      )
    }
    // Before the commit is known: a reader that finds it known has to find its content.
    if try JointRows.hasRows(JointRows.markers, tables.catalogueTree, in: transaction) { expectMarkers() }
    note(commit)
  }
}
