import Fief
public import Foundation

extension Store {
  /// Opens the store of ``Configuration/defaultConfiguration``, or gives a further handle of it.
  ///
  /// - Throws: as ``init(configuration:)``.
  public convenience init() throws { try self.init(configuration: .defaultConfiguration) }

  /// Opens the store of a file, with the other settings of ``Configuration/defaultConfiguration``.
  ///
  /// - Parameter fileURL: as ``Configuration/fileURL``.
  /// - Throws: as ``init(configuration:)``.
  public convenience init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a store, with the migration that is due, or gives a further handle of it.
  ///
  /// All handles of a store share the open store, and any thread may use any of them.
  /// - Parameter configuration: the store and its schema.
  /// - Throws: ``FiefError`` where the store cannot be opened: `cannotOpen`, `migrationRequired`, `versionTooLow`,
  ///   `invalidSchema`, `damagedStore`; `invalidStoreName` for a file whose name begins with a dot or has more than 200
  ///   bytes; `cannotOpen` also if the store does not exist, but a Realm file at `fileURL` does;
  ///   and others. The files are then as they were.
  public convenience init(configuration: Configuration) throws {
    let repository = try ConfiguredRepository(configuration)
    try StagedImport.checkFinished(configuration)
    if !configuration.ignoresRealmFile { try repository.checkForRealmFile(at: configuration.fileURL) }
    let store = repository.store()
    if let error = store.openingError { throw error }
    try repository.checkKey(of: store)
    self.init(handleOf: store, opening: configuration, reportsAssignments: true)
    if try openedAs().isReadOnly != configuration.readOnly {
      throw FiefError(
        .cannotOpen,
        "The store is open already, with another readOnly.",
        path: configuration.fileURL?.path
      )
    }
  }

  /// Opens a store on another thread, with the migration that is due, and calls a closure with it.
  ///
  /// - Parameters:
  ///   - configuration: the store and its schema.
  ///   - callbackQueue: the queue on which the closure is called.
  ///   - callback: gets the store, or the error that ``init(configuration:)`` throws.
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration,
    callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Store, any Swift.Error>) -> Void
  ) {
    let callback = LocalHandler(callback)
    let opening = StoreSandbox.capturingCurrent { try Store(configuration: configuration) }
    DispatchQueue.global().async {
      let result = Result { try opening() }
      callbackQueue.async { callback.call(result) }
    }
  }

  /// Performs the migration of a store that is due, by opening the store.
  ///
  /// - Throws: as ``init(configuration:)``.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    _ = try Store(configuration: configuration)
  }

  /// Whether there is a store for a configuration; a store in memory exists while it is open.
  ///
  /// A configuration that describes no store has none, which is reported as `StoreEvent.misuse(_:)`.
  public static func fileExists(for configuration: Configuration) -> Bool {
    do { return try ConfiguredRepository(configuration).storeExists() } catch {
      Misuse.report(
        error as? FiefError ?? FiefError(.cannotOpen, "The store cannot be found.", underlying: error)
      )
      return false
    }
  }

  /// Closes a store and deletes its files.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``FiefError`` of code `storeInUse` where another process has it open, and inside of a `read { }`; `nestedWrite`
  ///   inside of a write. The files are then as they were.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    let repository = try ConfiguredRepository(configuration)
    guard try repository.storeExists() else { return false }
    try repository.deleteStore()
    return true
  }

  /// The schema version of the store at a file's place; the store may be open meanwhile.
  ///
  /// - Throws: as `Store.schemaVersion(at:)`.
  public static func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
    try schemaVersion(at: ConfiguredRepository.storeDirectory(fileURL).path)
  }
}
