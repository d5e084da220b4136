import Fief
import Foundation
import LMDB

/// The result of restoring a store.
package struct Restoration: Sendable {
  /// The version that the store has now.
  package let version: UInt64
  /// The directory with the store that was replaced, a backup now; nil where there was none.
  package let replaced: String?
  /// The errors of removing old backups that are still there.
  package var unremoved: [FiefError] = []
}

extension StoreMaintenance {
  /// Puts a copy of another store, a backup as a rule, in the place of this one.
  ///
  /// The copy is made beside the store, checked and synchronised first. Then its file and that of the store
  /// change places in one step, while no process has the store open, so that a crash leaves the one or the
  /// other. The replaced store becomes a backup, as it was, damaged or not.
  ///
  /// - Parameters:
  ///   - source: the directory of a store.
  ///   - root: the directory for backups; nil for `.backups` beside the store.
  ///   - keep: the greatest number of backups afterwards.
  /// - Throws: ``FiefError`` of code `storeInUse` where a process has the store open, `damagedStore` where
  ///   the copy has faults, `storeFull`. The store is then as it was. `unknownOutcome` where the copy is in its place and
  ///   the directory could not be synchronised: a power cut may bring the old store back, which the details name.
  package func restore(from source: String, backupsIn root: String? = nil, keep: Int) throws -> Restoration {
    try alone { directory in
      try refuseUse(of: directory)
      let parent = (directory as NSString).deletingLastPathComponent
      try StoreLocation.createPrivateDirectory(parent)
      MaintenanceDirectory.removeAbandoned(in: parent)
      let copy = MaintenanceDirectory.path(in: parent, prefix: MaintenanceDirectory.partial)
      defer { MaintenanceDirectory.remove(copy) }
      let version = try self.copy(source, to: copy)
      // This is not the name of a copy that may be removed: for a moment the store that was replaced is in it.
      let complete = StoreLocation.joined(
        parent,
        ".restoring-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
      )
      MaintenanceDirectory.release(copy)
      do throws(LMDBError) { try StoreExchange.publish(directory: copy, as: complete) } catch {
        // Nothing of the store has been touched.
        MaintenanceDirectory.remove(complete)
        guard error.code == .outcomeUnknown else { throw error }
        throw LMDBError(.inputOutput, path: complete, detail: "fsync", returnCode: error.returnCode)
      }
      do {
        return try exchange(directory, with: complete, version: version, root: root, keep: keep)
      } catch let error as LMDBError where error.code == .outcomeUnknown {
        throw replacedUnsynchronised(error, complete)
      } catch {
        MaintenanceDirectory.remove(complete)
        throw error
      }
    }
  }

  /// The error of a store that was replaced, where the disk did not confirm it. Nothing of either is removed.
  private func replacedUnsynchronised(_ error: LMDBError, _ copy: String) -> FiefError {
    var described = FiefError(error)
    described.store = name
    if FileManager.default.fileExists(atPath: copy) {
      described.details.append("the store was replaced by the copy; what was replaced is in \(copy)")
    } else {
      described.details.append("the copy is in the place of the store")
    }
    described.details.append("restore it again when the disk is well")
    return described
  }

  /// Puts a complete copy in the place of the store. Once it is there only `outcomeUnknown` is thrown.
  private func exchange(
    _ directory: String,
    with copy: String,
    version: UInt64,
    root: String?,
    keep: Int
  ) throws -> Restoration {
    guard FileManager.default.fileExists(atPath: directory) else {
      try StoreExchange.publish(directory: copy, as: directory)
      return Restoration(version: version, replaced: nil)
    }
    let hadData = FileManager.default.fileExists(atPath: StoreLocation.joined(directory, "data.mdb"))
    // A damaged store cannot say which version it has.
    let replacedVersion = hadData ? (try? inspect(directory))??.version ?? 0 : 0
    _ = try StoreExchange.swapData(of: directory, withCopyIn: copy, allowsGroup: allowsGroup)
    guard hadData else {
      MaintenanceDirectory.remove(copy)
      return Restoration(version: version, replaced: nil)
    }
    // A copy that cannot be moved to the backups stays where it is, and the result has its path.
    guard let backup = try? keepReplaced(copy, version: replacedVersion, root: root) else {
      return Restoration(version: version, replaced: copy)
    }
    let unremoved = removeOldest(beyond: keep, but: backup, in: root)
    return Restoration(version: version, replaced: backup.path, unremoved: unremoved)
  }

  /// The schema version of a copy of a store; nil where it cannot be read.
  package func version(ofCopy path: String) -> UInt64? { (try? inspect(path))??.version }

  /// Whether a copy of a store has none of the types of this one, so that it must be one of another store.
  ///
  /// - Parameter path: the directory of the copy; one that cannot be read is not called foreign.
  package func isForeign(_ path: String) -> Bool {
    guard let copy = (try? inspect(path))??.catalogue else { return false }
    let stored = (try? inspect())??.catalogue.types.map(\.name) ?? []
    let declared = (try? configuration.get())?.schema.descriptors.map(\.name) ?? []
    return !copy.types.isEmpty && Set(copy.types.map(\.name)).isDisjoint(with: stored + declared)
  }

  /// - Throws: ``FiefError`` of code `storeInUse` where another process has the store open.
  package func refuseUse(of directory: String) throws {
    do throws(LMDBError) {
      // The lock is only queried: a process that waits for a lock finds the table of readers as the lock's
      // holder leaves it.
      let use = try StoreLock.use(of: directory, allowsGroup: allowsGroup)
      if use != .unused { throw StoreLock.inUse(use, directory) }
    } catch {
      if error.code == .notFound { return }
      throw FiefError.described(error, store: name)
    }
  }

  private func keepReplaced(_ copy: String, version: UInt64, root: String?) throws -> StoreBackup {
    let parent = try backupDirectory(in: root)
    try StoreLocation.createPrivateDirectory(parent)
    do {
      return try publish(copy, in: parent, version: version, isReplaced: true)
    } catch let error as LMDBError where error.returnCode == EXDEV {
      // Backups on another disk: the replaced store stays on its own disk.
      let own = try backupDirectory()
      try StoreLocation.createPrivateDirectory(own)
      return try publish(copy, in: own, version: version, isReplaced: true)
    }
  }
}
