/// The steps of a store's schema from version to version, and the migration block that runs them.
///
/// ```swift
/// class PetRepository: DatabaseConfigurable {
///   var schemaVersion: UInt64? { Self.plan.version }
///   var migrationPlan: MigrationPlan? { Self.plan }
///   static let plan = MigrationPlan([PetsVersion2.self, PetsVersion3.self])
/// }
/// ```
/// A store that is several versions behind runs the steps it lacks, in order and in one commit. A repository
/// that declares its `migrationBlock` gives it ``block``; the plan then is checked when a migration is due.
public struct MigrationPlan: Sendable {
  /// The steps, as they were given.
  public let steps: [any MigrationStep.Type]
  /// The error in the steps; nil where they can run. Opening a store with such a plan fails with it.
  public let error: FiefError?

  /// Makes a plan. One that cannot run says why in ``error``, and its block throws that.
  ///
  /// - Parameter steps: the steps in the order of their versions, each one above the one before it.
  public init(_ steps: [any MigrationStep.Type]) {
    self.steps = steps
    self.error = Self.problem(of: steps)
  }

  /// Makes a plan that can run.
  ///
  /// - Throws: ``FiefError`` of code `invalidMigrationPlan` that lists each version that is missing, there
  ///   twice, or out of order.
  public init(checking steps: [any MigrationStep.Type]) throws(FiefError) {
    self.init(steps)
    if let error { throw error }
  }

  /// The version that the plan leads to; 0 without steps.
  public var version: UInt64 { steps.last?.version ?? 0 }

  /// The oldest version of a store that the plan can bring up to date.
  public var oldestVersion: UInt64 { steps.first.map { $0.version == 0 ? 0 : $0.version - 1 } ?? 0 }

  /// The block of a repository that has this plan.
  public var block: MigrationBlock {
    { migration, _ in try migration.run(self) }
  }

  /// The steps that a store of a version lacks.
  public func steps(after version: UInt64) -> [any MigrationStep.Type] {
    steps.filter { $0.version > version }
  }

  private static func problem(of steps: [any MigrationStep.Type]) -> FiefError? {
    var details: [String] = []
    for (before, step) in zip(steps, steps.dropFirst()) {
      let expected = before.version &+ 1
      if step.version == before.version {
        details.append("version \(step.version) is there twice: '\(before.name)' and '\(step.name)'")
      } else if step.version < before.version {
        details.append("version \(step.version), '\(step.name)', comes after version \(before.version)")
      } else if step.version > expected {
        let last = step.version - 1
        let missing = last == expected ? "version \(expected) is" : "the versions \(expected) to \(last) are"
        details.append("\(missing) missing before version \(step.version), '\(step.name)'")
      }
    }
    if steps.first?.version == 0 {
      details.append("version 0, '\(steps[0].name)', is that of a new store: there is nothing to migrate")
    }
    if details.isEmpty { return nil }
    return FiefError(.invalidMigrationPlan, "The steps of the migration plan cannot run.", details: details)
  }
}
