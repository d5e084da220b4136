import Fief
import Foundation
import LMDB

extension StoreMaintenance {
  /// The directory of this store's backups: `<parent>/.backups/<store>`, or below a directory of one's own.
  ///
  /// No store has a name that begins with a dot, so the directory is none. It is on the disk of the store by
  /// default, so that a backup replaces it by a rename.
  package func backupDirectory(in root: String? = nil) throws -> String {
    let parent = (try directory() as NSString).deletingLastPathComponent
    let root = root.map(Self.absolute) ?? StoreLocation.joined(parent, ".backups")
    return StoreLocation.joined(root, name)
  }

  /// The backups, the newest first; none where there is no directory for them.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` where the directory cannot be read: there may be some.
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

  /// The backup that is restored by default: the newest that is not itself a replaced store.
  package func newestBackup(in root: String? = nil) throws -> StoreBackup? {
    try backups(in: root).first { !$0.isReplaced }
  }

  /// Makes a backup: a compacted copy of the newest commit, checked and on the disk before it has its name.
  ///
  /// The store may be in use meanwhile.
  ///
  /// - Parameter root: the directory for backups; nil for `.backups` beside the store.
  /// - Throws: ``FiefError`` of code `damagedStore` where the copy has faults, which it has from the store;
  ///   `storeFull`. There is no new backup then, and no old one is removed.
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
        "The store has faults, which a copy of it has too.",
        store: name,
        path: source,
        details: check.problems
      )
    }
    let version = try withEnvironment(copy) { try StoreOpening.storedCatalogue(in: $0)?.schemaVersion }
    guard let version else {
      throw FiefError(
        .damagedStore,
        "There is no store to copy: the file has no catalogue.",
        store: name,
        path: source
      )
    }
    // Looking has made a table of readers, which belongs to no copy.
    unlink(StoreLocation.joined(copy, "lock.mdb"))
    return version
  }

  /// Gives a complete copy its name among the backups.
  func publish(_ copy: String, in parent: String, version: UInt64, isReplaced: Bool) throws -> StoreBackup {
    // Two in the same thousandth of a second are possible, ten are not.
    for attempt in 0..<10 {
      let date = Date(timeIntervalSinceNow: Double(attempt) / 1000)
      let path = StoreLocation.joined(
        parent,
        StoreBackup.name(at: date, version: version, isReplaced: isReplaced)
      )
      do throws(LMDBError) { try StoreExchange.publish(directory: copy, as: path) } catch {
        if error.code == .alreadyExists { continue }
        // A store that was replaced has the name now, or its former one after a power cut.
        guard error.code == .outcomeUnknown, isReplaced else { throw error }
      }
      guard let backup = try StoreBackup(path: path) else { break }
      return backup
    }
    throw FiefError(.inputOutput, "The backup could not be given its name.", store: name, path: copy)
  }

  /// Removes the oldest backups.
  ///
  /// - Parameters:
  ///   - keep: the number of backups that remain, the kept one included.
  ///   - kept: one that stays in any case.
  /// - Returns: the errors of backups that are still there, or parts of them; as a rule none. Fewer new ones fit then.
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
  /// - Throws: ``FiefError`` of code `inputOutput` where it is still there, or parts of it.
  package func remove(_ backup: StoreBackup) throws(FiefError) {
    try StoreLocation.removeDirectory(backup.path)
  }
}
