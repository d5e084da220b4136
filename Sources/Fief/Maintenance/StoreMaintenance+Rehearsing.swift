import Foundation
import LMDB

/// What a migration of a copy has shown.
package struct Rehearsal: Sendable {
  /// How long copying took.
  package let copying: Duration
  /// How long the migration took.
  package let migrating: Duration
  /// How long the check afterwards took.
  package let checking: Duration
  /// The size of the copy, in bytes: that of a backup.
  package let bytesBefore: Int
  /// The size of the migrated copy, in bytes.
  package let bytesAfter: Int
  /// The objects of each type before.
  package let before: [StoreInspection.TypeCount]
  /// The objects of each type after it.
  package let after: [StoreInspection.TypeCount]
  /// What the check of the migrated copy has found; empty for a store that is whole.
  package let problems: [String]
}

extension StoreMaintenance {
  /// Migrates a compacted copy of the store with the repository's own block, checks and removes it.
  ///
  /// The copy is in the store's file system, in a directory `.rehearsal-<process>-<random>` beside the store.
  /// The store itself may be in use and is not changed.
  ///
  /// - Parameter progress: hears how far the migration is, on this thread.
  /// - Throws: ``FiefError`` as the migration would; the copy is gone then too.
  package func rehearse(progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }) throws
    -> Rehearsal
  {
    var configuration = try configuration.get()
    configuration.listen(progress)
    // The application is not told of what does not really happen.
    configuration.options.eventHandler = { if case .migrating(let state) = $0 { progress(state) } }
    let directory = try directory()
    let parent = (directory as NSString).deletingLastPathComponent
    MaintenanceDirectory.removeAbandoned(in: parent)
    let scratch = MaintenanceDirectory.path(in: parent)
    do {
      try StoreLocation.createPrivateDirectory(scratch)
      defer { MaintenanceDirectory.remove(scratch) }
      return try rehearse(configuration, directory, StoreLocation.joined(scratch, name))
    } catch {
      throw FiefError.described(error, store: name)
    }
  }

  private func rehearse(_ configuration: StoreConfiguration, _ directory: String, _ copy: String) throws
    -> Rehearsal
  {
    let clock = ContinuousClock()
    let copying = try clock.measure { try Self.withEnvironment(directory) { try $0.copy(to: copy) } }
    let before = try Self.inspect(copy)
    let migrating = try clock.measure {
      try StoreOpening.open(configuration, directory: copy, isInMemory: false).environment.close()
    }
    var problems: [String] = []
    let checking = try clock.measure {
      _ = try StoreVerifier.verify(directory: copy)
      problems = try StoreOpening.check(directory: copy, store: name).problems
    }
    let after = try Self.inspect(copy)
    return Rehearsal(
      copying: copying,
      migrating: migrating,
      checking: checking,
      bytesBefore: before?.fileSize ?? 0,
      bytesAfter: after?.fileSize ?? 0,
      before: before?.types ?? [],
      after: after?.types ?? [],
      problems: problems
    )
  }
}

/// Directories for copies that are only needed while something runs.
enum MaintenanceDirectory {
  private static let prefix = ".rehearsal-"

  /// A path that does not exist, with the number of this process in it.
  static func path(in parent: String) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return StoreLocation.joined(parent, "\(prefix)\(getpid())-\(random)")
  }

  /// Removes what processes left behind that were killed.
  static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: "-")
      guard parts.count == 2, let id = parts.first.flatMap({ pid_t($0) }), id > 0 else { continue }
      // A process of another container may have the number of none here: its copy is left alone for a day.
      guard kill(id, 0) != 0, errno == ESRCH, isOld(StoreLocation.joined(parent, name)) else { continue }
      remove(StoreLocation.joined(parent, name))
    }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Whether nothing in a directory was changed for a day.
  static func isOld(_ path: String) -> Bool {
    var info = stat()
    guard lstat(path, &info) == 0 else { return false }
    return time(nil) - time_t(MaintenanceDirectory.modified(info)) > 86_400
  }

  private static func modified(_ info: stat) -> Int {
    #if canImport(Darwin)
      info.st_mtimespec.tv_sec
    #else
      info.st_mtim.tv_sec
    #endif
  }
}
