import Fief
import LMDB

extension StoreMaintenance {
  /// Brings the store to the declared version, with the repository's own block.
  ///
  /// A store that does not exist is made. One commit: whatever is thrown, and wherever the process is
  /// killed, the store is at the old version or at the new one.
  ///
  /// - Parameters:
  ///   - encrypts: whether a store in clear is encrypted too, with the key of its repository; that is a commit of its own.
  ///   - progress: gets the progress of the migration, on this thread.
  /// - Returns: the values that the migration has dropped.
  /// - Throws: ``FiefError``; the store is then as it was, unless one of both commits was made: see ``inspect()``.
  @discardableResult
  package func migrate(
    encrypts: Bool = false,
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws -> [DroppedValues] {
    let dropped = Lock<[DroppedValues]>([])
    try alone { directory in
      var configuration = try configuration(at: directory)
      configuration.encryptsClearStore = encrypts
      configuration.listen(progress) { values in dropped.withLock { $0.append(values) } }
      try StoreLocation.createPrivateDirectory(directory)
      try StoreOpening.open(configuration, directory: directory, isInMemory: false).environment.close()
    }
    return dropped.withLock { $0 }
  }

  /// Checks the store: its structure, and with it or without it everything in it.
  ///
  /// - Parameter isQuick: whether only the structure is checked: every page, but no record.
  /// - Throws: ``FiefError`` for a store that cannot be read.
  package func check(isQuick: Bool = false) throws -> IntegrityReport {
    let directory = try directory()
    do {
      let report = try StoreVerifier.verify(directory: directory, allowsGroup: allowsGroup)
      if isQuick {
        var check = IntegrityReport()
        check.entries = report.entries
        return check
      }
      return try check(directory, isCopy: false)
    } catch {
      throw FiefError.described(error, store: name)
    }
  }
}

extension StoreConfiguration {
  /// Sends the progress of a migration, and the values that it drops, to other handlers too, and lets the store be written.
  mutating func listen(
    _ progress: @escaping @Sendable (MigrationProgress) -> Void,
    dropped: @escaping @Sendable (DroppedValues) -> Void = { _ in }
  ) {
    options.isReadOnly = false
    options.deletesIfMigrationNeeded = false
    options.migratesOnOpen = true
    let handler = options.eventHandler
    options.eventHandler = { event in
      switch event {
      case .migrating(let state): progress(state)
      case .droppedValues(_, let values): dropped(values)
      default: break
      }
      handler?(event)
    }
  }
}
