import Fief
import Foundation
import LMDB

/// The result of migrating a copy.
package struct Rehearsal: Sendable {
  /// The time that copying took.
  package let copying: Duration
  /// The time that the migration took.
  package let migrating: Duration
  /// The time that the check afterwards took.
  package let checking: Duration
  /// The size of the copy in bytes, which is the size of a backup.
  package let bytesBefore: Int
  /// The size of the migrated copy, in bytes.
  package let bytesAfter: Int
  /// The number of objects of each type before the migration.
  package let before: [StoreInspection.TypeCount]
  /// The number of objects of each type after the migration.
  package let after: [StoreInspection.TypeCount]
  /// The problems that were found in the migrated copy. Empty if the copy is consistent.
  package let problems: [String]
  /// The types and properties of the old schema that were renamed or removed.
  package let findings: [RehearsalFinding]
}

extension StoreMaintenance {
  /// Migrates a compacted copy of the store with the repository's own migration block, then checks and
  /// removes the copy.
  ///
  /// The copy is on the store's file system, in a directory `.rehearsal-<process>-<random>` beside the store.
  /// The store itself may be in use and is not changed. An unencrypted copy is encrypted if the repository
  /// specifies a key.
  ///
  /// - Parameter progress: receives the progress of the migration, on this thread.
  /// - Throws: ``FiefError``, like the migration itself. The copy is removed in this case, too.
  package func rehearse(progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }) throws
    -> Rehearsal
  {
    let directory = try directory()
    var configuration = try configuration(at: directory)
    // Only the copy is encrypted.
    configuration.encryptsClearStore = true
    configuration.listen(progress)
    // A rehearsal changes nothing, so the application gets no events.
    configuration.options.eventHandler = { if case .migrating(let state) = $0 { progress(state) } }
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
    let copying = try clock.measure { try withEnvironment(directory) { try $0.copy(to: copy) } }
    let before = try inspect(copy)
    let migrating = try clock.measure {
      try StoreOpening.open(configuration, directory: copy, isInMemory: false).environment.close()
    }
    var problems: [String] = []
    let checking = try clock.measure {
      _ = try StoreVerifier.verify(directory: copy)
      problems = try check(copy, isCopy: true).problems
    }
    let after = try inspect(copy)
    var findings: [RehearsalFinding] = []
    if let before, let after { findings = RehearsalFinding.list(before: before, after: after.catalogue) }
    return Rehearsal(
      copying: copying,
      migrating: migrating,
      checking: checking,
      bytesBefore: before?.fileSize ?? 0,
      bytesAfter: after?.fileSize ?? 0,
      before: before?.types ?? [],
      after: after?.types ?? [],
      problems: problems,
      findings: findings
    )
  }
}
