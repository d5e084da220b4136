import Fief

/// The store of the distribution's packages, their maintainers and their dependencies.
package final class CatalogueRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "catalogue" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? { [Package.self, Maintainer.self, Section.self, Tag.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }
  package var migrationBlock: MigrationBlock? { nil }

  /// Describes the store under a directory.
  package init(directory: String?) {
    self.directory = directory
  }
}
