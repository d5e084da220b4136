import Foundation
import LMDB

/// A store in the recovery of a write to several stores: its files, without a schema.
package struct JointSide {
  package let environment: LMDB.Environment
  package let directory: String
  package let storeID: UUID
  package let name: String
  package let isInMemory: Bool
  /// The tree of the catalogue, which contains the rows.
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

  /// Returns this store as the other store of a row.
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
  /// A function that returns whether this process has opened the store in a directory. The registry of open
  /// stores sets it.
  static let openStores = OwnedLock<StoredFunction<@Sendable (_ directory: String) -> Bool>?>(nil)

  private static func isOpen(_ directory: String) -> Bool {
    openStores.withLock { $0 }?.function(directory) ?? false
  }

  /// Opens the other store of a row. Returns nil if it was in memory and no longer exists or belongs to
  /// another process.
  ///
  /// - Parameters:
  ///   - other: the row's description of the other store.
  ///   - side: the store with the row.
  ///   - isGone: set to true if the store was in memory and no longer exists.
  /// - Throws: ``FiefError`` of code `unfinishedWrite` if the store does not exist, or if a different store
  ///   is at its path.
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
        // The coordinator may have failed while it committed the decision.
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
        "A write to several stores is not finished because another of its stores cannot be opened.",
        store: side.name,
        path: directory,
        details: ["the other store: \(other.name)"],
        underlying: error
      )
    }
  }

  /// Returns the identifier in the catalogue, which is at the same position in every format.
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

  /// Calls a closure that writes. If the store has unfinished parts of another write to several stores,
  /// completes or drops them and calls the closure again.
  ///
  /// - Throws: any error of the closure; ``FiefError`` of code `blockedByUnfinishedWrite`.
  func settled<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
      do { return try body() } catch is JointPending { try settleMarkers() }
    }
  }

  /// Completes or drops the store's unfinished parts of writes to several stores.
  ///
  /// - Throws: ``FiefError`` of code `blockedByUnfinishedWrite`.
  package func settleMarkers() throws {
    try JointRecovery.settleMarkersForWriting(to: jointSide)
    // Observers of a store on disk find the unpublished commit by its number.
    guard isInMemory, hub.isActive else { return }
    do { hub.didCommit([try environment.read { $0.id }], [CommittedChanges()]) } catch {
      // The number of the commit is unknown, so anything may have changed.
      hub.didCommit([], [CommittedChanges()])
      throw error
    }
  }
}

/// Thrown in a write transaction that finds the marker of a write to several stores.
package struct JointPending: Error {}

extension StoreOpening {
  /// Returns the store of an environment, or nil if it has no catalogue yet.
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
