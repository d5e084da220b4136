import Foundation
import LMDB

/// A store as the recovery of writes to several stores sees it: its files, without a schema.
package struct JointSide {
  package let environment: LMDB.Environment
  package let directory: String
  package let storeID: UUID
  package let name: String
  package let isInMemory: Bool
  /// The tree of the catalogue, which has the rows.
  package let tree: Database
  /// Whether the store is encrypted and was opened without its key, so that nothing can be written to it.
  var isLocked = false

  package init(
    environment: LMDB.Environment,
    directory: String,
    storeID: UUID,
    name: String,
    isInMemory: Bool,
    tree: Database,
    isLocked: Bool = false
  ) {
    self.environment = environment
    self.directory = directory
    self.storeID = storeID
    self.name = name
    self.isInMemory = isInMemory
    self.tree = tree
    self.isLocked = isLocked
  }

  /// This store as a row of another store names it.
  package func asOther(seenFrom other: JointSide) -> JointRows.Other {
    JointRows.Other(
      storeID: storeID,
      name: name,
      path: JointPath.relative(from: other.directory, to: directory),
      isInMemory: isInMemory
    )
  }

  func rows(_ prefix: [UInt8]) throws -> [JointRows.Row] {
    try environment.read { try JointRows.rows(prefix, tree, in: $0) }
  }
}

extension JointSide {
  /// Says whether this process has a store in a directory open; the registry of open stores puts it here.
  static let openStores = OwnedLock<StoredFunction<@Sendable (_ directory: String) -> Bool>?>(nil)

  private static func isOpen(_ directory: String) -> Bool {
    openStores.withLock { $0 }?.function(directory) ?? false
  }

  /// Opens the other store of a row; nil where it is one in memory that is gone or another process's.
  ///
  /// - Parameters:
  ///   - other: the row's description of it.
  ///   - side: the store with the row.
  ///   - isGone: whether the store was in memory and is not there any more.
  /// - Throws: ``FiefError`` of code `unfinishedWrite` where it is not there, or is another store.
  static func opening(_ other: JointRows.Other, from side: JointSide, isGone: inout Bool) throws -> JointSide?
  {
    let directory = JointPath.resolved(other.path, from: side.directory)
    isGone = false
    if other.isInMemory, !isOpen(directory) {
      isGone = !FileManager.default.fileExists(atPath: directory)
      return nil
    }
    do {
      let environment = try StoreOpening.openFiles(
        directory,
        isReadOnly: false,
        .quick,
        allowsGroup: side.environment.allowsGroup
      )
      do {
        // The coordinator may have failed at its decision.
        try environment.reopenAfterFailure()
        guard let tree = try environment.openDatabase(named: Catalogue.treeName),
          try storeID(in: environment, tree) == other.storeID
        else { throw JointRecovery.otherStore }
        let header = try environment.read { try EncryptionHeader.stored(tree, in: $0) }
        return JointSide(
          environment: environment,
          directory: directory,
          storeID: other.storeID,
          name: other.name,
          isInMemory: other.isInMemory,
          tree: tree,
          isLocked: header != nil && environment.sealing == nil
        )
      } catch {
        environment.close()
        throw error
      }
    } catch {
      throw FiefError(
        .unfinishedWrite,
        "A write to several stores is not finished, and another of its stores cannot be opened.",
        store: side.name,
        path: directory,
        details: ["the other store: \(other.name)"],
        underlying: error
      )
    }
  }

  /// The identifier in the catalogue, which is at the same place in every format.
  private static func storeID(in environment: LMDB.Environment, _ tree: Database) throws -> UUID? {
    try environment.read { transaction in
      try Catalogue.key.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key), bytes.count >= 28 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(fromByteOffset: 12, as: uuid_t.self))
      }
    }
  }
}

extension StoreCore {
  package var jointSide: JointSide {
    JointSide(
      environment: environment,
      directory: directory,
      storeID: storeID,
      name: name,
      isInMemory: isInMemory,
      tree: tables.catalogueTree
    )
  }

  /// Calls a closure that writes, and again after the parts of another write to several stores in the store
  /// were completed or dropped.
  ///
  /// - Throws: what the closure throws; ``FiefError`` of code `blockedByUnfinishedWrite`.
  func settled<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
      do { return try body() } catch is JointPending { try settleMarkers() }
    }
  }

  /// Completes or drops the parts of another write to several stores in the store.
  ///
  /// - Throws: ``FiefError`` of code `blockedByUnfinishedWrite`.
  package func settleMarkers() throws {
    try JointRecovery.settleMarkersForWriting(to: jointSide)
    // Observers of a store on disk find the unpublished commit by its number.
    guard isInMemory, hub.isActive else { return }
    do { hub.didCommit([try environment.read { $0.id }], [CommittedChanges()]) } catch {
      // Whatever its number is, anything may have changed.
      hub.didCommit([], [CommittedChanges()])
      throw error
    }
  }
}

/// Thrown inside of a write transaction that finds the marker of a write to several stores.
package struct JointPending: Error {}

extension StoreOpening {
  /// The store of an environment; nil where it has no catalogue yet.
  static func jointSide(
    _ environment: LMDB.Environment,
    _ name: String,
    isInMemory: Bool
  ) throws -> JointSide? {
    guard let catalogue = try storedCatalogue(in: environment),
      let tree = try environment.openDatabase(named: Catalogue.treeName)
    else { return nil }
    return JointSide(
      environment: environment,
      directory: environment.directory,
      storeID: catalogue.storeID,
      name: name,
      isInMemory: isInMemory,
      tree: tree
    )
  }
}
