import Fief
import Foundation
import LMDB

extension StoreMaintenance {
  /// Returns the directory of this store's backups: `<parent>/.backups/<store>`, or a directory in `root`.
  ///
  /// The name of a store cannot begin with a dot, so the directory is not mistaken for a store. By default it
  /// is on the disk of the store, so that a backup can replace the store by a rename.
  package func backupDirectory(in root: String? = nil) throws -> String {
    let parent = (try directory() as NSString).deletingLastPathComponent
    let root = root.map(Self.absolute) ?? StoreLocation.joined(parent, ".backups")
    return StoreLocation.joined(root, name)
  }

  /// Returns the backups, the newest first, or an empty array if their directory does not exist.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` if the directory cannot be read, because it may contain
  ///   backups.
  package func backups(in root: String? = nil) throws -> [StoreBackup] {
    let directory = try backupDirectory(in: root)
    var info = stat()
    if lstat(directory, &info) != 0, errno == ENOENT { return [] }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      return try names.sorted(by: >).compactMap { try StoreBackup(path: StoreLocation.joined(directory, $0)) }
    } catch {
      throw FiefError(
        .cannotOpen,
        "The directory of the backups cannot be read.",
        store: name,
        path: directory,
        underlying: error
      )
    }
  }

  /// Returns the backup that is restored by default: the newest backup that is not a replaced store.
  package func newestBackup(in root: String? = nil) throws -> StoreBackup? {
    try backups(in: root).first { !$0.isReplaced }
  }

  /// Makes a backup: a compacted copy of the newest commit, which is checked and synced to disk before it
  /// gets its name.
  ///
  /// The store may be in use.
  ///
  /// - Parameter root: the directory for backups, or `nil` for `.backups` beside the store.
  /// - Throws: ``FiefError`` of code `damagedStore` if the copy, and hence the store, is damaged;
  ///   `storeFull`. In both cases no backup is added and no old backup is removed.
  package func backup(in root: String? = nil) throws -> StoreBackup {
    do {
      let parent = try backupDirectory(in: root)
      try StoreLocation.createPrivateDirectory(parent)
      MaintenanceDirectory.removeAbandoned(in: parent)
      let partial = MaintenanceDirectory.path(in: parent, prefix: MaintenanceDirectory.partial)
      defer { MaintenanceDirectory.remove(partial) }
      let version = try copy(try directory(), to: partial)
      MaintenanceDirectory.release(partial)
      return try publish(partial, in: parent, version: version, isReplaced: false)
    } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// Copies a store and checks the whole copy.
  ///
  /// - Returns: the copy's schema version.
  func copy(_ source: String, to copy: String) throws -> UInt64 {
    try withEnvironment(source) { try $0.copy(to: copy) }
    let check = try self.check(copy, isCopy: true)
    guard check.isConsistent else {
      throw FiefError(
        .damagedStore,
        "The store has faults, which a copy would contain too.",
        store: name,
        path: source,
        details: check.problems
      )
    }
    let version = try withEnvironment(copy) { try StoreOpening.storedCatalogue(in: $0)?.schemaVersion }
    guard let version else {
      throw FiefError(
        .damagedStore,
        "The file is not a store that can be copied: it has no catalogue.",
        store: name,
        path: source
      )
    }
    // Opening the copy has created a lock table, which a backup should not contain.
    unlink(StoreLocation.joined(copy, "lock.mdb"))
    return version
  }

  /// Renames a complete copy, so that it is one of the backups.
  func publish(_ copy: String, in parent: String, version: UInt64, isReplaced: Bool) throws -> StoreBackup {
    // Two backups in the same millisecond are possible, ten are not.
    for attempt in 0..<10 {
      let date = Date(timeIntervalSinceNow: Double(attempt) / 1000)
      let path = StoreLocation.joined(
        parent,
        StoreBackup.name(at: date, version: version, isReplaced: isReplaced)
      )
      do throws(LMDBError) { try StoreExchange.publish(directory: copy, as: path) } catch {
        if error.code == .alreadyExists { continue }
        // The replaced store now has the new name, or its former name after a power cut.
        guard error.code == .outcomeUnknown, isReplaced else { throw error }
      }
      guard let backup = try StoreBackup(path: path) else { break }
      return backup
    }
    throw FiefError(.inputOutput, "The backup could not be renamed.", store: name, path: copy)
  }

  /// Removes the oldest backups.
  ///
  /// - Parameters:
  ///   - keep: the number of backups that remain, including `kept`.
  ///   - kept: a backup that is never removed.
  /// - Returns: the errors of backups that could not be removed completely; usually empty.
  package func removeOldest(beyond keep: Int, but kept: StoreBackup, in root: String?) -> [FiefError] {
    var failures: [FiefError] = []
    do {
      for backup in try backups(in: root).filter({ $0 != kept }).dropFirst(max(0, keep - 1)) {
        do { try remove(backup) } catch { failures.append(error) }
      }
    } catch {
      failures.append(
        error as? FiefError
          ?? FiefError(.inputOutput, "Old backups cannot be found.", store: name, underlying: error)
      )
    }
    return failures
  }

  /// Removes one backup.
  ///
  /// - Throws: ``FiefError`` of code `inputOutput` if the backup or parts of it remain.
  package func remove(_ backup: StoreBackup) throws(FiefError) {
    try StoreLocation.removeDirectory(backup.path)
  }
}
