import Fief
import LMDB

/// The state of a store as seen without the classes of the program.
package struct StoreInspection: Sendable {
  /// One type of the store.
  package struct TypeCount: Sendable, Equatable {
    /// The type's name.
    package let name: String
    /// The number of objects of the type.
    package let count: Int
    /// The size of the pages of its records, indexes and backlinks, in bytes.
    package let bytes: Int
  }

  /// The schema version of the store.
  package let version: UInt64
  /// The version of the on-disk format.
  package let format: UInt32
  /// The types that are not embedded, sorted by name.
  package let types: [TypeCount]
  /// The size of the data file, in bytes.
  package let fileSize: Int
  /// The size of the used pages in bytes, which is about the size of a compacted copy.
  package let usedBytes: Int
  /// The usage statistics stored in the store: `nil` if it stores none, and an error if they cannot be read.
  package let usage: Result<UsageRecord?, FiefError>
  /// The processes that have the store open.
  let use: StoreUse
  /// The catalogue of the store.
  let catalogue: Catalogue

  /// The number of objects of all types.
  package var count: Int { types.reduce(0) { $0 + $1.count } }

  /// Whether another process has the store open.
  package var isInUse: Bool {
    if case .otherProcess = use { return true }
    return false
  }

  /// Whether this process itself has the store open.
  package var isOpenHere: Bool { use == .thisProcess }

  /// The id of a process that has the store open, if the system provides it.
  package var user: Int32? {
    if case .otherProcess(let id) = use { return id }
    return nil
  }

  /// Whether the store is encrypted.
  package var isEncrypted: Bool { format == Catalogue.encryptedFormat }

  /// Returns the type with a name.
  func type(_ name: String) -> TypeCount? { types.first { $0.name == name } }
}

extension StoreMaintenance {
  /// Inspects the store: the structure of all pages, which takes about a millisecond per 0.8 megabytes, and
  /// the catalogue. No file is created, except LMDB's lock table beside a store that was never opened.
  ///
  /// - Returns: `nil` if the store does not exist.
  /// - Throws: ``FiefError`` if the files are damaged, are not a store of the library or cannot be read by
  ///   this user.
  package func inspect() throws -> StoreInspection? {
    let directory = try directory()
    do { return try inspect(directory) } catch {
      if let error = error as? LMDBError, error.code == .notFound { return nil }
      throw FiefError.described(error, store: name)
    }
  }

  func inspect(_ directory: String) throws -> StoreInspection? {
    let use = try StoreLock.use(of: directory, allowsGroup: allowsGroup)
    return try withEnvironment(directory) { environment in
      // A store that has no catalogue, because its process was killed, counts as missing.
      guard let catalogue = try StoreOpening.storedCatalogue(in: environment) else { return nil }
      let tables = try StoreOpening.openTrees(of: catalogue, store: "", in: environment)
      let statistics = try environment.statistics()
      let types = try environment.read { try Self.counts(of: tables, in: $0) }
      return StoreInspection(
        version: catalogue.schemaVersion,
        format: catalogue.format,
        types: types,
        fileSize: statistics.fileSize,
        usedBytes: max(0, statistics.lastPage + 1 - statistics.freePages) * statistics.pageSize,
        usage: try Self.usage(in: tables, of: environment),
        use: use,
        catalogue: catalogue
      )
    }
  }

  /// A damaged row is returned as a failure, because the rest of the store can still be inspected.
  private static func usage(in tables: StoreTables, of environment: LMDB.Environment) throws
    -> Result<UsageRecord?, FiefError>
  {
    do {
      return .success(try environment.read { try UsageRecord.stored(tables.catalogueTree, in: $0) })
    } catch let error as FiefError { return .failure(error) }
  }

  /// Whether the catalogue of a store indicates that the store is encrypted. `false` if no store can be read;
  /// commands report this separately.
  func isEncrypted(_ directory: String) -> Bool {
    let format = try? withEnvironment(directory, .automatic) {
      try StoreOpening.storedCatalogue(in: $0)?.format
    }
    return format == Catalogue.encryptedFormat
  }

  /// Calls a closure with a store's environment, which is opened for reading only, after checking all pages.
  ///
  /// LMDB follows the pages of a tree without checking them, and an inspected store may have a damaged page.
  func withEnvironment<Value>(
    _ directory: String,
    _ verification: Verification = .full,
    _ body: (LMDB.Environment) throws -> Value
  ) throws -> Value {
    var options = EnvironmentOptions()
    options.allowsGroupWritableDirectory = allowsGroup
    options.isReadOnly = true
    options.createsIfMissing = false
    options.maxDatabases = 4096
    options.verification = verification
    let environment = try LMDB.Environment.open(directory: directory, options: options)
    defer { environment.close() }
    return try body(environment)
  }

  private static func counts(of tables: StoreTables, in transaction: LMDB.ReadTransaction) throws
    -> [StoreInspection.TypeCount]
  {
    try tables.all.compactMap { table in
      guard let records = table.records else { return nil }
      let trees = [records] + table.indexes.map(\.database) + table.links.map(\.backlinks)
      let bytes = try trees.reduce(0) { sum, tree in
        let pages = try transaction.statistics(tree)
        return sum + (pages.branchPages + pages.leafPages + pages.overflowPages) * pages.pageSize
      }
      return StoreInspection.TypeCount(
        name: table.name,
        count: try transaction.count(records),
        bytes: bytes
      )
    }.sorted { $0.name < $1.name }
  }
}
