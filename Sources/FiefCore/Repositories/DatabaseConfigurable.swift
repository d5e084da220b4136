/// A repository: the description of one domain's store, with the methods to use it.
///
/// ```swift
/// struct PetRepository: DatabaseConfigurable, Sendable {
///   let schemaName: String? = "pets"
///   let schemaVersion: UInt64? = 1
///   let objectTypes: [Object.Type]? = [Dog.self, Person.self]
/// }
/// ```
/// Fief opens the store the first time you use it, and keeps it open until ``close()``. Repositories of the
/// same store in one process share it.
///
/// You can declare the name as a `String?` or as a `String`: `let schemaName = "pets"`. A repository that is
/// a value is implicitly `Sendable`, since its whole description is. A public repository has to declare the
/// conformance, and so does generic code that passes repositories to other tasks:
/// `some DatabaseConfigurable & Sendable`. Classes need not be `Sendable`: ``StoreAccess/store()`` returns a handle that
/// any task may use.
///
/// The methods of ``StoreAccess`` read and write. A repository also saves and deletes objects, and maintains its
/// store.
public protocol DatabaseConfigurable: StoreNaming, StoreAccess {
  /// Whether the store is on disk or in memory. The default is ``RealmMemoryType/inStorage``.
  var realmMemoryType: RealmMemoryType { get }
  /// The store's name; `nil` for the default store. The default implementation returns the name that is
  /// declared as a `String`. If neither is declared, opening the store fails with `invalidStoreName`.
  var schemaName: String? { get }
  /// The version of the declared classes; `nil` means 0. Increase it with each change of the classes.
  var schemaVersion: UInt64? { get }
  /// The classes of the store; `nil` for every class of the process that inherits from ``Object``.
  ///
  /// A store that is already open may be opened with a subset of its classes. The repository then only has
  /// access to these types; using any other type is an error of code `unknownType`.
  var objectTypes: [Object.Type]? { get }
  /// The embedded classes of the store; `nil`, the default, for all embedded classes that the object types
  /// use.
  var embeddedObjectTypes: [EmbeddedObject.Type]? { get }
  /// A block that makes the changes of a migration beyond adding and removing types and properties; `nil` if
  /// no such changes are needed. The default is the block of ``migrationPlan``.
  var migrationBlock: MigrationBlock? { get }

  /// The steps that migrate older stores to the declared version; `nil` if ``migrationBlock`` does this.
  ///
  /// A plan is checked whenever the store is opened, even if no migration is needed: its steps must be valid,
  /// and the last step must lead to ``schemaVersion``. A store that is older than the plan's
  /// ``MigrationPlan/oldestVersion`` is rejected. All three are errors of code `invalidMigrationPlan`.
  var migrationPlan: MigrationPlan? { get }

  /// The parent directory of the store's own directory; `nil` for the directory of the `StoreManager` with
  /// which it is opened, or for the application's default directory.
  var directory: String? { get }
  /// Further settings.
  var storeOptions: StoreOptions { get }
}

extension DatabaseConfigurable {
  /// The default: on disk. If subclasses of a repository return different values, declare the property in the
  /// superclass, because a declaration only in a subclass does not replace this default.
  public var realmMemoryType: RealmMemoryType { .inStorage }
  /// The default: `nil`, which means all embedded classes that the object types use.
  public var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  /// The default: the name that the repository declares as a `String`.
  public var schemaName: String? { textualSchemaName }
  /// The block of the migration plan, or `nil` if there is no plan.
  public var migrationBlock: MigrationBlock? { migrationPlan?.block }
  /// No migration plan.
  public var migrationPlan: MigrationPlan? { nil }
  /// The default directory of the application.
  public var directory: String? { nil }
  /// The default settings.
  public var storeOptions: StoreOptions { StoreOptions() }
}

/// The description of a store with the methods to use it; another name of ``DatabaseConfigurable``.
public typealias Repository = DatabaseConfigurable
