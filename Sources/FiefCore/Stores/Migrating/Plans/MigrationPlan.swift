/// The steps of a store's schema from version to version, and the migration block that runs them.
///
/// ```swift
/// class PetRepository: DatabaseConfigurable {
///   var schemaVersion: UInt64? { Self.plan.version }
///   var migrationPlan: MigrationPlan? { Self.plan }
///   static let plan = MigrationPlan([PetsVersion2.self, PetsVersion3.self])
/// }
/// ```
/// A store that is several versions behind runs all steps that it still needs, in order and in one commit. A
/// repository can also declare ``block`` as its `migrationBlock`. The plan is then checked only when a
/// migration is due.
public struct MigrationPlan: Sendable {
  /// The steps, as given.
  public let steps: [any MigrationStep.Type]
  /// The error in the steps, or `nil` if they can run. Opening a store with an invalid plan throws this
  /// error.
  public let error: FiefError?

  /// Creates a plan. If the plan is invalid, ``error`` contains the reason, and the plan's block throws it.
  ///
  /// - Parameter steps: the steps in ascending order of their versions.
  public init(_ steps: [any MigrationStep.Type]) {
    self.steps = steps
    self.error = Self.problem(of: steps)
  }

  /// Creates a valid plan.
  ///
  /// - Throws: ``FiefError`` of code `invalidMigrationPlan` that lists each version that is missing,
  ///   duplicated or out of order.
  public init(checking steps: [any MigrationStep.Type]) throws(FiefError) {
    self.init(steps)
    if let error { throw error }
  }

  /// The version to which the plan leads, or 0 if it has no steps.
  public var version: UInt64 { steps.last?.version ?? 0 }

  /// The oldest version of a store that the plan can migrate.
  public var oldestVersion: UInt64 { steps.first.map { $0.version == 0 ? 0 : $0.version - 1 } ?? 0 }

  /// The migration block for a repository with this plan.
  public var block: MigrationBlock {
    { migration, _ in try migration.run(self) }
  }

  /// Returns the steps that a store with a version still needs.
  public func steps(after version: UInt64) -> [any MigrationStep.Type] {
    steps.filter { $0.version > version }
  }

  private static func problem(of steps: [any MigrationStep.Type]) -> FiefError? {
    var details: [String] = []
    for (before, step) in zip(steps, steps.dropFirst()) {
      let expected = before.version &+ 1
      if step.version == before.version {
        details.append("version \(step.version) appears twice: '\(before.name)' and '\(step.name)'")
      } else if step.version < before.version {
        details.append("version \(step.version), '\(step.name)', comes after version \(before.version)")
      } else if step.version > expected {
        let last = step.version - 1
        let missing = last == expected ? "version \(expected) is" : "the versions \(expected) to \(last) are"
        details.append("\(missing) missing before version \(step.version), '\(step.name)'")
      }
    }
    if steps.first?.version == 0 {
      details.append("version 0, '\(steps[0].name)', is a new store's version: it needs no migration")
    }
    if details.isEmpty { return nil }
    return FiefError(.invalidMigrationPlan, "The steps of the migration plan cannot run.", details: details)
  }
}
