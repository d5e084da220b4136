import Fief
import Foundation
import LMDB

/// The result of restoring a store.
package struct Restoration: Sendable {
  /// The new version of the store.
  package let version: UInt64
  /// The directory of the replaced store, which is a backup now, or `nil` if there was no store.
  package let replaced: String?
  /// The errors of removing old backups, which therefore remain.
  package var unremoved: [FiefError] = []
}

extension StoreMaintenance {
  /// Replaces this store with a copy of another store, usually a backup.
  ///
  /// The copy is first made beside the store, checked and synced. Then its file and the store's file are
  /// exchanged in one step, while no process has the store open. A crash therefore leaves either the old
  /// store or the new one. The replaced store becomes a backup, unchanged, whether or not it is damaged.
  ///
  /// - Parameters:
  ///   - source: the directory of a store.
  ///   - root: the directory for backups, or `nil` for `.backups` beside the store.
  ///   - keep: the maximum number of backups afterwards.
  /// - Throws: ``FiefError`` of code `storeInUse` if a process has the store open, `damagedStore` if the copy
  ///   is damaged, or `storeFull`; the store is then unchanged. The code is `unknownOutcome` if the copy is
  ///   in place but the directory could not be synced: a power cut may bring back the old store, which the
  ///   details name.
  package func restore(from source: String, backupsIn root: String? = nil, keep: Int) throws -> Restoration {
    try alone { directory in
      try refuseUse(of: directory)
      let parent = (directory as NSString).deletingLastPathComponent
      try StoreLocation.createPrivateDirectory(parent)
      MaintenanceDirectory.removeAbandoned(in: parent)
      let copy = MaintenanceDirectory.path(in: parent, prefix: MaintenanceDirectory.partial)
      defer { MaintenanceDirectory.remove(copy) }
      let version = try self.copy(source, to: copy)
      // The name differs from the names of temporary copies, because after the exchange the directory
      // contains the replaced store.
      let complete = StoreLocation.joined(
        parent,
        ".restoring-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
      )
      MaintenanceDirectory.release(copy)
      do throws(LMDBError) { try StoreExchange.publish(directory: copy, as: complete) } catch {
        // The store has not been changed.
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

  /// Returns the error for a store that was replaced but not confirmed by the disk. Neither store is removed.
  private func replacedUnsynchronised(_ error: LMDBError, _ copy: String) -> FiefError {
    var described = FiefError(error)
    described.store = name
    if FileManager.default.fileExists(atPath: copy) {
      described.details.append("the copy replaced the store; the former store is in \(copy)")
    } else {
      described.details.append("the copy has replaced the store")
    }
    described.details.append("restore it again when the disk works again")
    return described
  }

  /// Replaces the store with a complete copy. After the exchange the only error is `outcomeUnknown`.
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
    // The version of a damaged store cannot be read.
    let replacedVersion = hadData ? (try? inspect(directory))??.version ?? 0 : 0
    _ = try StoreExchange.swapData(of: directory, withCopyIn: copy, allowsGroup: allowsGroup)
    guard hadData else {
      MaintenanceDirectory.remove(copy)
      return Restoration(version: version, replaced: nil)
    }
    // A store that cannot be moved to the backups is not moved, and the result contains its path.
    guard let backup = try? keepReplaced(copy, version: replacedVersion, root: root) else {
      return Restoration(version: version, replaced: copy)
    }
    let unremoved = removeOldest(beyond: keep, but: backup, in: root)
    return Restoration(version: version, replaced: backup.path, unremoved: unremoved)
  }

  /// Returns the schema version of a copy of a store, or `nil` if it cannot be read.
  package func version(ofCopy path: String) -> UInt64? { (try? inspect(path))??.version }

  /// Returns whether a copy shares no type with this store, so that it must be a copy of a different store.
  ///
  /// - Parameter path: the directory of the copy. A copy that cannot be read is not considered foreign.
  package func isForeign(_ path: String) -> Bool {
    guard let copy = (try? inspect(path))??.catalogue else { return false }
    let stored = (try? inspect())??.catalogue.types.map(\.name) ?? []
    let declared = (try? configuration.get())?.schema.descriptors.map(\.name) ?? []
    return !copy.types.isEmpty && Set(copy.types.map(\.name)).isDisjoint(with: stored + declared)
  }

  /// - Throws: ``FiefError`` of code `storeInUse` if a process has the store open.
  package func refuseUse(of directory: String) throws {
    do throws(LMDBError) {
      // The lock is only queried, because this process must not wait for its holder.
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
      // The backups are on a different disk, so the replaced store stays on its own disk.
      let own = try backupDirectory()
      try StoreLocation.createPrivateDirectory(own)
      return try publish(copy, in: own, version: version, isReplaced: true)
    }
  }
}
