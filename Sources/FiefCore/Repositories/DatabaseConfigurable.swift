/// The description of one domain's store, and the way to it: a repository.
///
/// ```swift
/// class PetRepository: DatabaseConfigurable {
///   var realmMemoryType: RealmMemoryType { .inStorage }
///   var schemaName: String? { "pets" }
///   var schemaVersion: UInt64? { 1 }
///   var objectTypes: [Object.Type]? { [Dog.self, Person.self] }
///   var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
///   var migrationBlock: MigrationBlock? { nil }
/// }
/// ```
/// The store is opened at its first use and stays open until ``close()``. Repositories of the same store
/// in one process share it.
///
/// The name may be declared as a `String?` or as a `String`: `let schemaName = "pets"`. A repository that is
/// a value is `Sendable` by itself, since all that it describes is; a public one declares it, and so does
/// generic code that hands repositories to other tasks: `some DatabaseConfigurable & Sendable`. Classes need
/// not be: ``store()`` is the handle that any task may have.
public protocol DatabaseConfigurable: StoreNaming {
  /// The place where the store keeps its data.
  var realmMemoryType: RealmMemoryType { get }
  /// The store's name; nil is the default store. By default the one that is declared as a `String`; where the repository
  /// has neither, opening its store fails with `invalidStoreName`.
  var schemaName: String? { get }
  /// The version of the declared classes; nil is 0. Raise it with each change of them.
  var schemaVersion: UInt64? { get }
  /// The classes of the store; nil is every class of the process that inherits from ``Object``.
  ///
  /// A store that is open already may be opened with a part of its classes: the repository then reaches the
  /// types of these only, and any other one is an error of code `unknownType`.
  var objectTypes: [Object.Type]? { get }
  /// The embedded classes of the store; nil is every one that the object types use.
  var embeddedObjectTypes: [EmbeddedObject.Type]? { get }
  /// The changes of a migration beyond adding and removing; nil for none. By default that of ``migrationPlan``.
  var migrationBlock: MigrationBlock? { get }

  /// The steps that bring older stores to the declared version; nil where ``migrationBlock`` does it.
  ///
  /// A plan is checked whenever the store is opened, whether or not a migration is due: its steps must be
  /// able to run, and the last of them must lead to ``schemaVersion``. A store that is older than the plan's
  /// ``MigrationPlan/oldestVersion`` is refused. All three are errors of code `invalidMigrationPlan`.
  var migrationPlan: MigrationPlan? { get }

  /// The directory that the store's own directory is in; nil is that of the `StoreManager` it is opened
  /// with, or the default one of the application.
  var directory: String? { get }
  /// Further settings.
  var storeOptions: StoreOptions { get }
}

extension DatabaseConfigurable {
  /// The name that is declared as a `String`.
  public var schemaName: String? { textualSchemaName }
  /// The block of the migration plan; nil without one.
  public var migrationBlock: MigrationBlock? { migrationPlan?.block }
  /// None.
  public var migrationPlan: MigrationPlan? { nil }
  /// The default directory of the application.
  public var directory: String? { nil }
  /// The default settings.
  public var storeOptions: StoreOptions { StoreOptions() }
}

/// The description of a store and the access to it; another name of ``DatabaseConfigurable``.
public typealias Repository = DatabaseConfigurable
