import Fief

/// The store of the distribution's packages, their maintainers and their dependencies.
final class CatalogueRepository: DatabaseConfigurable, Sendable {
  let directory: String?

  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "catalogue" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Package.self, Maintainer.self, Section.self, Tag.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }
  var migrationBlock: MigrationBlock? { nil }

  /// Describes the store under a directory.
  init(directory: String?) {
    self.directory = directory
  }
}
