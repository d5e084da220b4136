import Fief

/// A store on disk at the version that the application has, whatever the application's own repository says of the place: what
/// fixtures and tests make and open such stores with.
package struct NewestRepository: DatabaseConfigurable {
  package let schemaName: String?
  package let directory: String?
  package let schemaVersion: UInt64?
  package let objectTypes: [Object.Type]?
  package let embeddedObjectTypes: [EmbeddedObject.Type]?
  package let migrationPlan: MigrationPlan?
  package var storeOptions = StoreOptions()

  package var realmMemoryType: RealmMemoryType { .inStorage }

  /// Describes the store `schemaName` under a directory.
  ///
  /// - Parameter application: the application's repository.
  package init(_ schemaName: String, like application: some DatabaseConfigurable, in directory: String) {
    self.schemaName = schemaName
    self.directory = directory
    self.schemaVersion = application.schemaVersion
    self.objectTypes = application.objectTypes
    self.embeddedObjectTypes = application.embeddedObjectTypes
    self.migrationPlan = application.migrationPlan
  }
}
