import FiefCore
import Foundation
import LMDB
import Synchronization

/// A store opened without the Swift types of its objects, from the catalogue in it: what tools are made on.
///
/// It may be open in other processes, and in this one through its repository: transactions of all of them
/// are LMDB's. Observers in an application are notified of its writes. Where
/// another process migrates the store, the next transaction here has the new types.
///
/// It can be used on any thread.
public final class DynamicStore: Sendable {
  /// The directory with the store's files.
  public let directory: String
  /// The store's name: that of its directory.
  public let name: String
  /// Whether writing is refused.
  public let isReadOnly: Bool
  let environment: LMDB.Environment
  private let current: OwnedLock<DynamicSchema>
  private let isClosed = Atomic(false)

  /// The message of an error of code `damagedStore` for an LMDB file that is not this library's.
  package static let noCatalogue = "The LMDB environment is not one of this library's: it has no catalogue."

  /// Opens the store in a directory, which must have one.
  ///
  /// For reading only, nothing is created or changed in the directory but LMDB's own note of a reader in the
  /// lock table that is there. Where there is no lock table, as in a backup or on a medium that cannot be
  /// written to, the store is read without one; should a process open it for writing meanwhile, the read ends
  /// with an error, because pages may have changed under it.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - isReadOnly: whether writing is refused.
  ///   - verification: the part that is checked before LMDB sees the file; `full` finds all damage that could
  ///     crash it, and takes a millisecond for each 0.8 megabytes.
  ///   - encryption: the key of an encrypted store.
  ///   - allowsGroupWritableDirectory: as ``StoreOptions/allowsGroupWritableDirectory``.
  /// - Throws: ``FiefError`` of code `cannotOpen` and `storage` where there is no store or no access,
  ///   `damagedStore`, `formatTooNew`, `formatTooOld`; `encrypted`, `notEncrypted`, `wrongKey`, `invalidKey`.
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

  /// Opens a store as ``init(directory:isReadOnly:verification:encryption:allowsGroupWritableDirectory:)`` does.
  ///
  /// - Parameter verifiesCommit: whether opening fails if the store was changed without its key. If it is false, the store can be read,
  ///   and only writes fail.
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

  /// Lets the files go. Every later call throws ``FiefError/Code/storeClosed``.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    environment.close()
  }

  var schema: DynamicSchema { current.withLock { $0 } }

  /// The version of the store's schema.
  public var schemaVersion: UInt64 { schema.catalogue.schemaVersion }
  /// The version of the format in which the store keeps its objects.
  public var formatVersion: UInt32 { schema.catalogue.format }
  /// The identifier that the store got when it was made; copies have the same.
  public var storeID: UUID { schema.catalogue.storeID }
  /// The types of the store by name, as they were at the last transaction.
  public var types: [DynamicType] { schema.types }

  /// Calls a closure with one committed state of the store.
  ///
  /// As long as it runs, LMDB keeps the pages of that state: a long one makes the file grow where others
  /// write.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for reports of readers that last long.
  ///   - line: the line of the call.
  ///   - body: gets the state.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws; ``FiefError``.
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
  /// The closure may run again from its start when the store has to grow: it must reset its state outside of
  /// the store.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, with nothing changed; ``FiefError`` of code `readOnlyStore`,
  ///   `storeFull`; `nestedWrite` inside of another write, of this store or of another one.
  public func write<Value>(_ body: (DynamicTransaction) throws -> Value) throws -> Value {
    if isReadOnly {
      throw FiefError(.readOnlyStore, "The store was opened for reading only.", store: name)
    }
    try WritingThreads.checkNoOther(than: name)
    return try withCurrentSchema { schema in
      try environment.write { transaction in
        guard try schema.isCurrent(in: transaction) else { throw SchemaMoved() }
        if schema.hasOtherUnicode {
          throw FiefError(
            .migrationRequired,
            "The store's text indexes were made with other tables of Unicode; its application rebuilds them when it opens it.",
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
      throw FiefError(.storage, "The schema of the store changes again and again.", store: name)
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
