public import Fief

/// A repository that is described by values, for tests that do not need a separate repository type.
///
/// ```swift
/// let dogs = try StoreFixture(TestRepository(objectTypes: [Dog.self]), kind)
/// ```
public struct TestRepository: DatabaseConfigurable {
  /// The memory type of the store: on disk or in memory.
  public var realmMemoryType: RealmMemoryType
  /// The store's name, or `nil` for the default store.
  public var schemaName: String?
  /// The version of the declared classes, or `nil` for version 0.
  public var schemaVersion: UInt64?
  /// The classes of the store, or `nil` for every class of the process.
  public var objectTypes: [Object.Type]?
  /// The embedded classes of the store, or `nil` for every embedded class that the object types use.
  public var embeddedObjectTypes: [EmbeddedObject.Type]?
  /// The migration block, or `nil` for none.
  public var migrationBlock: MigrationBlock?
  /// The migration plan, or `nil` for none.
  public var migrationPlan: MigrationPlan?
  /// The parent directory of the store's directory, or `nil` for the default.
  public var directory: String?
  /// Further settings.
  public var storeOptions: StoreOptions

  /// Creates a repository from its values. Without a version it has the version to which the plan leads.
  public init(
    _ schemaName: String? = "test",
    in directory: String? = nil,
    memoryType: RealmMemoryType = .inStorage,
    version: UInt64? = nil,
    objectTypes: [Object.Type]?,
    embedded: [EmbeddedObject.Type]? = nil,
    options: StoreOptions = StoreOptions(),
    migration: MigrationBlock? = nil,
    plan: MigrationPlan? = nil
  ) {
    self.realmMemoryType = memoryType
    self.schemaName = schemaName
    self.schemaVersion = version ?? plan?.version
    self.objectTypes = objectTypes
    self.embeddedObjectTypes = embedded
    self.migrationBlock = migration
    self.migrationPlan = plan
    self.directory = directory
    self.storeOptions = options
  }
}
