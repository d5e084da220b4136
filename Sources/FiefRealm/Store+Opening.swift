import Fief
public import Foundation

extension Store {
  /// Opens the store of ``Configuration/defaultConfiguration``, or creates another handle of the open store.
  ///
  /// - Throws: the errors of ``init(configuration:)``.
  public convenience init() throws { try self.init(configuration: .defaultConfiguration) }

  /// Opens the store of a file, with the other settings of ``Configuration/defaultConfiguration``.
  ///
  /// - Parameter fileURL: the URL, as in ``Configuration/fileURL``.
  /// - Throws: the errors of ``init(configuration:)``.
  public convenience init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a store and migrates it if necessary, or creates another handle of the open store.
  ///
  /// All handles share the open store, and any thread may use any of them.
  /// - Parameter configuration: the store and its schema.
  /// - Throws: ``FiefError`` if the store cannot be opened, for example of code `cannotOpen`,
  ///   `migrationRequired`, `versionTooLow`, `invalidSchema` or `damagedStore`. The code is
  ///   `invalidStoreName` if the name of the file starts with a dot or has more than 200 bytes, and
  ///   `cannotOpen` also if a file of Realm exists at `fileURL` but the store does not. The files are
  ///   unchanged after an error.
  public convenience init(configuration: Configuration) throws {
    let repository = try ConfiguredRepository(configuration)
    try StagedImport.checkFinished(repository, configuration.fileURL)
    if !configuration.ignoresRealmFile { try repository.checkForRealmFile(at: configuration.fileURL) }
    let store = repository.store()
    if let error = store.openingError { throw error }
    try repository.checkKey(of: store)
    self.init(handleOf: store, opening: configuration, reportsAssignments: true)
    if try openedAs().isReadOnly != configuration.readOnly {
      throw FiefError(
        .cannotOpen,
        "The store is already open with a different value of readOnly.",
        path: configuration.fileURL?.path
      )
    }
  }

  /// Opens a store as ``init(configuration:)`` does, for code on a serial queue. Other code may use the
  /// handle, too.
  ///
  /// Observations that begin on the queue call their handlers there, unless they name another place. This
  /// also holds for stores that were opened without naming the queue.
  ///
  /// - Parameters:
  ///   - configuration: the store and its schema.
  ///   - queue: a serial queue; nil has no effect.
  /// - Throws: the errors of ``init(configuration:)``.
  public convenience init(configuration: Configuration = .defaultConfiguration, queue: DispatchQueue?) throws
  {
    try self.init(configuration: configuration)
    if let queue { ConfinedQueue.mark(queue) }
  }

  /// Opens a store on another thread, migrates it if necessary, and calls a closure on the main actor.
  ///
  /// - Parameters:
  ///   - configuration: the store and its schema.
  ///   - place: the main queue: `.main`.
  ///   - callback: receives the store, or the error that ``init(configuration:)`` throws.
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration,
    callbackQueue place: some MainPlace = MainQueue.main,
    callback: @escaping @MainActor (Result<Store, any Swift.Error>) -> Void
  ) {
    open(configuration) { result in Task { @MainActor in callback(result) } }
  }

  /// Opens a store on another thread, migrates it if necessary, and calls a closure on a queue.
  ///
  /// - Parameters:
  ///   - configuration: the store and its schema.
  ///   - callbackQueue: the queue on which the closure is called.
  ///   - callback: receives the store, or the error that ``init(configuration:)`` throws.
  @_disfavoredOverload
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration,
    callbackQueue: DispatchQueue,
    callback: @escaping @Sendable (Result<Store, any Swift.Error>) -> Void
  ) {
    open(configuration) { result in
      // The closure may open other stores of the same test.
      let call = StoreSandbox.capturingCurrent { callback(result) }
      callbackQueue.async { try? call() }
    }
  }

  static func open(
    _ configuration: Configuration,
    then body: @escaping @Sendable (Result<Store, any Swift.Error>) -> Void
  ) {
    let opening = StoreSandbox.capturingCurrent { body(Result { try Store(configuration: configuration) }) }
    Task.detached {
      do { try await BackgroundThreads.shared.run(opening) } catch { body(.failure(error)) }
    }
  }

  /// Migrates a store if necessary, by opening it.
  ///
  /// - Throws: the errors of ``init(configuration:)``.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    _ = try Store(configuration: configuration)
  }

  /// Returns a Boolean value that indicates whether the store of a configuration exists. A store in memory
  /// exists while it is open.
  ///
  /// If the configuration does not describe a store, the result is `false`, and `StoreEvent.misuse(_:)` is
  /// reported.
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
  /// - Returns: `true` if the store existed.
  /// - Throws: ``FiefError`` of code `storeInUse` if another process has the store open, or in a `read { }`;
  ///   of code `nestedWrite` in a write. The files are then unchanged.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    let repository = try ConfiguredRepository(configuration)
    guard try repository.storeExists() else { return false }
    try repository.deleteStore()
    return true
  }

  /// Returns the schema version of the store at a file URL. The store may be open.
  ///
  /// - Throws: the errors of `Store.schemaVersion(at:)`.
  public static func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
    try schemaVersion(at: ConfiguredRepository.storeDirectory(fileURL).path)
  }
}
