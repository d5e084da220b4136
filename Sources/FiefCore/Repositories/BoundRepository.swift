// SAFETY: the repository is constant; its six requirements have no side effects.

/// A repository of one manager: its store is in the directory of that manager, wherever it is used.
///
/// ```swift
/// let pets = try manager.repository(PetRepository.self)
/// try pets.write { try $0.add(dog) }
/// ```
/// A repository that is a value does not know which manager it is in; this is the value together with its
/// manager. It is a repository itself, and has all of its methods. For methods of the repository's own type use
/// `StoreManager.use(_:)`, or give the type a property `directory`.
public final class BoundRepository<Base: DatabaseConfigurable>: @unchecked Sendable {
  /// The repository as it was given to the manager.
  public let base: Base

  init(_ base: Base) { self.base = base }
}

/// The description of the repository; the directory is that of the manager where it names none.
extension BoundRepository: DatabaseConfigurable {
  /// The repository's memory type.
  public var realmMemoryType: RealmMemoryType { base.realmMemoryType }
  /// The repository's schema name.
  public var schemaName: String? { base.schemaName }
  /// The repository's schema version.
  public var schemaVersion: UInt64? { base.schemaVersion }
  /// The repository's object types.
  public var objectTypes: [Object.Type]? { base.objectTypes }
  /// The repository's embedded object types.
  public var embeddedObjectTypes: [EmbeddedObject.Type]? { base.embeddedObjectTypes }
  /// The repository's migration block.
  public var migrationBlock: MigrationBlock? { base.migrationBlock }
  /// The repository's migration plan.
  public var migrationPlan: MigrationPlan? { base.migrationPlan }
  /// The one that the repository names itself; nil where its store is in the directory of the manager.
  public var directory: String? { base.directory }
  /// The repository's store options.
  public var storeOptions: StoreOptions { base.storeOptions }
}

/// A repository that wraps another one.
protocol RepositoryWrapper {
  /// The type of the other one.
  var baseType: any DatabaseConfigurable.Type { get }
  /// The object that the other one is, nil for a value.
  var baseOwner: AnyObject? { get }
}

extension BoundRepository: RepositoryWrapper {
  var baseType: any DatabaseConfigurable.Type { base.describedType }
  var baseOwner: AnyObject? { base.storeOwner }
}

extension DatabaseConfigurable {
  /// The type of the repository, or of the one that it wraps.
  var describedType: any DatabaseConfigurable.Type {
    (self as? any RepositoryWrapper)?.baseType ?? Swift.type(of: self)
  }

  /// The object that a store in memory lives with which has no identifier; nil for a value.
  var storeOwner: AnyObject? {
    guard let object = identity else { return nil }
    if let wrapper = self as? any RepositoryWrapper { return wrapper.baseOwner }
    return object
  }
}
