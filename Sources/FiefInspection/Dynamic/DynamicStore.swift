import FiefCore
import Foundation
import LMDB
import Synchronization

/// A store that is opened without the Swift types of its objects, using the catalogue that it contains. It is
/// the basis of the tools.
///
/// The store may be open in other processes, and in this process through its repository; all of them use LMDB
/// transactions. Observers in an application are notified of its writes. If another process migrates the
/// store, the next transaction here sees the new types.
///
/// It can be used from any thread.
public final class DynamicStore: Sendable {
  /// The directory with the store's files.
  public let directory: String
  /// The store's name, which is the name of its directory.
  public let name: String
  /// A Boolean value that indicates whether writes are rejected.
  public let isReadOnly: Bool
  let environment: LMDB.Environment
  private let current: OwnedLock<DynamicSchema>
  private let isClosed = Atomic(false)

  /// The message of an error of code `damagedStore` if an LMDB file has no catalogue.
  package static let noCatalogue = "The LMDB environment is not a store of Fief: it has no catalogue."

  /// Opens the store in a directory. The store must exist.
  ///
  /// Opening for reading only creates and changes nothing in the directory, except that LMDB registers the
  /// reader in an existing lock table. If there is no lock table, as in a backup or on a read-only medium,
  /// the store is read without one. If another process then opens the store for writing, the read ends with
  /// an error, because its pages may have changed.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - isReadOnly: whether writes are rejected.
  ///   - verification: the part of the file that is checked before LMDB reads it. `full` finds all damage
  ///     that could crash LMDB, and takes a millisecond per 0.8 megabytes.
  ///   - encryption: the key of an encrypted store.
  ///   - allowsGroupWritableDirectory: see ``StoreOptions/allowsGroupWritableDirectory``.
  /// - Throws: ``FiefError`` of code `cannotOpen` or `storage` if the store does not exist or cannot be
  ///   accessed; `damagedStore`, `formatTooNew` or `formatTooOld`; `encrypted`, `notEncrypted`, `wrongKey` or
  ///   `invalidKey`.
  public convenience init(
    directory: String,
    isReadOnly: Bool = true,
    verification: StoreOptions.Verification = .full,
    encryption: StoreEncryption? = nil,
    allowsGroupWritableDirectory: Bool = false
  ) throws {
    try self.init(
      directory: directory,
      isReadOnly: isReadOnly,
      verification: verification,
      encryption: encryption,
      allowsGroupWritableDirectory: allowsGroupWritableDirectory,
      verifiesCommit: true
    )
  }

  /// Opens a store like ``init(directory:isReadOnly:verification:encryption:allowsGroupWritableDirectory:)``.
  ///
  /// - Parameter verifiesCommit: whether opening fails if the store was changed without its key. If `false`,
  ///   the store can be read, and only writes fail.
  package init(
    directory: String,
    isReadOnly: Bool,
    verification: StoreOptions.Verification,
    encryption: StoreEncryption?,
    allowsGroupWritableDirectory: Bool,
    verifiesCommit: Bool
  ) throws {
    var directory = directory
    while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    self.directory = directory
    let name = URL(filePath: directory).standardizedFileURL.lastPathComponent
    self.name = name
    self.isReadOnly = isReadOnly
    let encryption = encryption ?? StoreSandbox.encryption(ofStoreIn: directory)
    do {
      if !isReadOnly { ScratchDirectory.removeAbandoned(beside: directory) }
      let environment = try StoreOpening.openFiles(
        directory,
        isReadOnly: isReadOnly,
        verification,
        allowsGroup: allowsGroupWritableDirectory
      )
      do {
        try StoreOpening.unlock(environment, encryption, store: name, verifiesCommit: verifiesCommit)
        current = OwnedLock(try DynamicSchema(store: name, environment: environment))
      } catch {
        environment.close()
        throw error
      }
      self.environment = environment
    } catch {
      throw FiefError.described(error, store: name)
    }
  }

  deinit { close() }

  /// Closes the store. Every later call throws ``FiefError/Code/storeClosed``.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    environment.close()
  }

  var schema: DynamicSchema { current.withLock { $0 } }

  /// The version of the store's schema.
  public var schemaVersion: UInt64 { schema.catalogue.schemaVersion }
  /// The version of the store's on-disk format.
  public var formatVersion: UInt32 { schema.catalogue.format }
  /// The identifier that the store received when it was created. Copies have the same identifier.
  public var storeID: UUID { schema.catalogue.storeID }
  /// The types of the store, sorted by name, as of the last transaction.
  public var types: [DynamicType] { schema.types }

  /// Calls a closure with one committed state of the store.
  ///
  /// While the closure runs, LMDB keeps the pages of the state. If others write during a long read, the file
  /// grows.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for reports of long readers.
  ///   - line: the line of the call.
  ///   - body: receives the state.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure; ``FiefError``.
  public func read<Value>(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: (DynamicSnapshot) throws -> Value
  ) throws -> Value {
    try withCurrentSchema { schema in
      let value = try environment.read { transaction in
        transaction.noteOrigin(file, line: UInt32(truncatingIfNeeded: line))
        guard try schema.isCurrent(in: transaction) else { throw SchemaMoved() }
        return try body(DynamicSnapshot(schema: schema, transaction: transaction))
      }
      try checkLockTable()
      return value
    }
  }

  /// Calls a closure in a write transaction, and commits it when the closure returns.
  ///
  /// The closure may run again from the start if the store has to grow, so it must reset any state outside
  /// the store.
  ///
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure, with nothing changed; ``FiefError`` of code `readOnlyStore` or
  ///   `storeFull`; `nestedWrite` in another write of this or another store, and in an optimistic transaction of
  ///   this store.
  public func write<Value>(_ body: (DynamicTransaction) throws -> Value) throws -> Value {
    if isReadOnly {
      throw FiefError(.readOnlyStore, "The store was opened for reading only.", store: name)
    }
    try OptimisticTransaction.checkNone(in: environment, store: name)
    try WritingThreads.checkNoOther(than: name)
    return try withCurrentSchema { schema in
      try environment.write { transaction in
        guard try schema.isCurrent(in: transaction) else { throw SchemaMoved() }
        if schema.hasOtherUnicode {
          throw FiefError(
            .migrationRequired,
            "The store's text indexes were built with different Unicode tables; its application rebuilds them when it opens the store.",
            store: name
          )
        }
        try JointRows.checkNoMarkers(schema.tables.catalogueTree, in: transaction)
        let writer = RecordWriter(tables: schema.tables, transaction: transaction, collectsChanges: false)
        let value = try WritingThreads.run([name]) {
          try body(DynamicTransaction(schema: schema, writer: writer))
        }
        try writer.finishTrees()
        return value
      }
    }
  }

  private struct SchemaMoved: Error {}

  private func withCurrentSchema<Value>(_ body: (DynamicSchema) throws -> Value) throws -> Value {
    do {
      for _ in 0..<20 {
        if isClosed.load(ordering: .acquiring) { throw StoreCore.closedError(name) }
        do { return try body(schema) } catch is JointPending {
          try JointRecovery.settleMarkersForWriting(to: jointSide)
        } catch is SchemaMoved {
          let newer = try DynamicSchema(store: name, environment: environment)
          current.withLock { $0 = newer }
        }
      }
      throw FiefError(.storage, "The schema of the store keeps changing.", store: name)
    } catch {
      throw FiefError.described(error, store: name)
    }
  }

  private var jointSide: JointSide {
    JointSide(
      environment: environment,
      directory: directory,
      storeID: storeID,
      name: name,
      isInMemory: false,
      tree: schema.tables.catalogueTree
    )
  }

  private func checkLockTable() throws {
    guard environment.isReadWithoutLocks, try environment.hasLockTable() else { return }
    throw FiefError(
      .storage,
      "The store was opened for writing while it was read without a lock table; read it again.",
      store: name,
      path: directory
    )
  }
}
