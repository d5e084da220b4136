public import Fief

/// A repository of values, for tests that need no repository type of their own.
///
/// ```swift
/// let dogs = try StoreFixture(TestRepository(objectTypes: [Dog.self]), kind)
/// ```
public struct TestRepository: DatabaseConfigurable {
  /// The place where the store keeps its data.
  public var realmMemoryType: RealmMemoryType
  /// The store's name; nil is the default store.
  public var schemaName: String?
  /// The version of the declared classes; nil is 0.
  public var schemaVersion: UInt64?
  /// The classes of the store; nil is every class of the process.
  public var objectTypes: [Object.Type]?
  /// The embedded classes of the store; nil is every one that the object types use.
  public var embeddedObjectTypes: [EmbeddedObject.Type]?
  /// The changes of a migration beyond adding and removing; nil for none.
  public var migrationBlock: MigrationBlock?
  /// The directory that the store's own directory is in; nil is the default one.
  public var directory: String?
  /// Further settings.
  public var storeOptions: StoreOptions

  /// Makes a repository from its values.
  public init(
    _ schemaName: String? = "test",
    in directory: String? = nil,
    memoryType: RealmMemoryType = .inStorage,
    version: UInt64? = nil,
    objectTypes: [Object.Type]?,
    embedded: [EmbeddedObject.Type]? = nil,
    options: StoreOptions = StoreOptions(),
    migration: MigrationBlock? = nil
  ) {
    self.realmMemoryType = memoryType
    self.schemaName = schemaName
    self.schemaVersion = version
    self.objectTypes = objectTypes
    self.embeddedObjectTypes = embedded
    self.migrationBlock = migration
    self.directory = directory
    self.storeOptions = options
  }
}
