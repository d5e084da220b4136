import Fief
import LMDB

/// The state of a store as seen from outside, whatever classes the program has.
package struct StoreInspection: Sendable {
  /// One type of the store.
  package struct TypeCount: Sendable, Equatable {
    /// The type's name.
    package let name: String
    /// The number of its objects.
    package let count: Int
    /// The bytes of the pages of its records, indexes and backlinks.
    package let bytes: Int
  }

  /// The schema version that the store has.
  package let version: UInt64
  /// The number of the on-disk format.
  package let format: UInt32
  /// The types that have objects of their own, by name.
  package let types: [TypeCount]
  /// The size of the data file, in bytes.
  package let fileSize: Int
  /// The bytes of the pages that are in use: about the size of a compacted copy.
  package let usedBytes: Int
  /// What was read and written, as the store keeps it: nil where it keeps none, an error where it cannot be read.
  package let usage: Result<KeptUsage?, FiefError>
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

  /// The number of a process that has the store open, where the system has it.
  package var user: Int32? {
    if case .otherProcess(let id) = use { return id }
    return nil
  }

  /// Whether the store is encrypted.
  package var isEncrypted: Bool { format == Catalogue.encryptedFormat }

  /// The type of a name.
  func type(_ name: String) -> TypeCount? { types.first { $0.name == name } }
}

extension StoreMaintenance {
  /// Inspects the store: the structure of all its pages, about a millisecond for each 0.8 megabytes, and its
  /// catalogue. No file is made, but for LMDB's table of readers beside a store that was never opened.
  ///
  /// - Returns: nil where there is no store.
  /// - Throws: ``FiefError`` for files that are damaged, foreign or not to be read by this user.
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
      // A store that never got a catalogue, since its process was killed, counts as none.
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

  /// Damage of the row is a result, since the rest of the store can be looked at.
  private static func usage(in tables: StoreTables, of environment: LMDB.Environment) throws
    -> Result<KeptUsage?, FiefError>
  {
    do {
      return .success(try environment.read { try KeptUsage.stored(tables.catalogueTree, in: $0) })
    } catch let error as FiefError { return .failure(error) }
  }

  /// Whether the catalogue of a store says that it is encrypted; false also where there is no store that can be read, which
  /// commands find out themselves.
  func isEncrypted(_ directory: String) -> Bool {
    let format = try? withEnvironment(directory, .automatic) {
      try StoreOpening.storedCatalogue(in: $0)?.format
    }
    return format == Catalogue.encryptedFormat
  }

  /// Calls a closure with a store's environment, opened for reading only once all its pages were checked.
  ///
  /// LMDB follows the pages of a tree without looking, and a store that is inspected may well have a damaged one.
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
