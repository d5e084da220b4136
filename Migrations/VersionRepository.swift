import Fief

/// A store at one version of its schema, described by the step that leads there: what fixtures, tests and the
/// demonstration make old stores with.
package struct VersionRepository: DatabaseConfigurable {
  private let step: any MigrationStep.Type
  private let plan: MigrationPlan?
  package let schemaName: String?
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaVersion: UInt64? { step.version }
  package var objectTypes: [Object.Type]? { step.objectTypes ?? [] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { step.embeddedObjectTypes ?? [] }
  package var migrationBlock: MigrationBlock? { plan?.block }

  /// Describes the store `schemaName` under a directory.
  ///
  /// - Parameters:
  ///   - schemaName: the store's name.
  ///   - step: a step that names its classes.
  ///   - directory: the directory that the store's own is in.
  ///   - plan: the steps that lead to the version; nil for a store that is made in it.
  package init(
    _ schemaName: String,
    at step: any MigrationStep.Type,
    in directory: String,
    plan: MigrationPlan? = nil
  ) {
    self.schemaName = schemaName
    self.step = step
    self.directory = directory
    self.plan = plan
  }
}
