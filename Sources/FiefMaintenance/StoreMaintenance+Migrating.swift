import Fief
import LMDB

extension StoreMaintenance {
  /// Brings the store to the declared version, with the repository's own block.
  ///
  /// A store that does not exist is made. One commit: whatever is thrown, and wherever the process is
  /// killed, the store is at the old version or at the new one.
  ///
  /// - Parameter progress: gets the progress of the migration, on this thread.
  /// - Throws: ``FiefError``; the store is then as it was.
  package func migrate(progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }) throws {
    try alone { directory in
      var configuration = try configuration(at: directory)
      configuration.listen(progress)
      try StoreLocation.createPrivateDirectory(directory)
      try StoreOpening.open(configuration, directory: directory, isInMemory: false).environment.close()
    }
  }

  /// Checks the store: its structure, and with it or without it everything in it.
  ///
  /// - Parameter isQuick: whether only the structure is checked: every page, but no record.
  /// - Throws: ``FiefError`` for a store that cannot be read.
  package func check(isQuick: Bool = false) throws -> IntegrityReport {
    let directory = try directory()
    do {
      let report = try StoreVerifier.verify(directory: directory)
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
  /// Sends the progress of a migration to another handler too, and lets the store be written.
  mutating func listen(_ progress: @escaping @Sendable (MigrationProgress) -> Void) {
    options.isReadOnly = false
    options.deletesIfMigrationNeeded = false
    options.migratesOnOpen = true
    let handler = options.eventHandler
    options.eventHandler = { event in
      if case .migrating(let state) = event { progress(state) }
      handler?(event)
    }
  }
}
