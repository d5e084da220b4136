import Fief
import LMDB

extension StoreMaintenance {
  /// Migrates the store to the declared version, with the repository's own migration block.
  ///
  /// A store that does not exist is created. The migration is one commit: whatever error is thrown, and
  /// whenever the process is killed, the store is at either the old or the new version.
  ///
  /// - Parameters:
  ///   - encrypts: whether an unencrypted store is also encrypted, with the key of its repository. This is a
  ///     separate commit.
  ///   - progress: receives the progress of the migration, on this thread.
  /// - Returns: the values that the migration has dropped.
  /// - Throws: ``FiefError``. The store is then unchanged, unless one of the two commits was made; see
  ///   ``inspect()``.
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

  /// Checks the store: its structure and, unless the check is quick, all of its contents.
  ///
  /// - Parameter isQuick: whether only the structure is checked, which reads every page but no records.
  /// - Throws: ``FiefError`` if the store cannot be read.
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
  /// Reports the progress of a migration, and the values that it drops, to further handlers, and makes the
  /// store writable.
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
