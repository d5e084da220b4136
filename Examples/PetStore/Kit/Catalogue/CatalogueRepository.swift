import Fief
import PetStoreMigrations

/// The store of the distribution's packages, their maintainers and their dependencies.
package final class CatalogueRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "catalogue" }
  package var schemaVersion: UInt64? { MigrationPlan.catalogue.version }
  package var objectTypes: [Object.Type]? {
    [Package.self, Source.self, Maintainer.self, Section.self, Tag.self, PackageIndex.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }
  package var migrationPlan: MigrationPlan? { .catalogue }
  package var storeOptions: StoreOptions { .keepingUsage }

  /// Describes the store under a directory.
  package init(directory: String?) {
    self.directory = directory
  }
}
