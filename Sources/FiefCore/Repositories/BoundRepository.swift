// SAFETY: the repository is constant, and its requirements have no side effects.

/// A repository bound to one manager: its store is in the directory of this manager, wherever you use it.
///
/// ```swift
/// let pets = try manager.repository(PetRepository.self)
/// try pets.write { try $0.add(dog) }
/// ```
/// A repository that is a value does not know its manager. This type combines the value and its manager. It
/// is a repository itself and has all methods of repositories. To use methods of the repository's own type,
/// call `StoreManager.use(_:)`, or give the type a property `directory`.
public final class BoundRepository<Base: DatabaseConfigurable>: @unchecked Sendable {
  /// The repository as it was passed to the manager.
  public let base: Base

  init(_ base: Base) { self.base = base }
}

/// The description of the repository. If the repository specifies no directory, its store is in the manager's
/// directory.
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
  /// The directory that the repository itself specifies; `nil` if its store is in the manager's directory.
  public var directory: String? { base.directory }
  /// The repository's store options.
  public var storeOptions: StoreOptions { base.storeOptions }
}

/// A repository that wraps another repository.
protocol RepositoryWrapper {
  /// The type of the wrapped repository.
  var baseType: any DatabaseConfigurable.Type { get }
  /// The wrapped repository if it is an object; `nil` if it is a value.
  var baseOwner: AnyObject? { get }
}

extension BoundRepository: RepositoryWrapper {
  var baseType: any DatabaseConfigurable.Type { base.describedType }
  var baseOwner: AnyObject? { base.storeOwner }
}

extension DatabaseConfigurable {
  /// The type of the repository, or of the repository that it wraps.
  var describedType: any DatabaseConfigurable.Type {
    (self as? any RepositoryWrapper)?.baseType ?? Swift.type(of: self)
  }

  /// The object that determines the lifetime of an in-memory store without an identifier; `nil` for a value.
  var storeOwner: AnyObject? {
    guard let object = identity else { return nil }
    if let wrapper = self as? any RepositoryWrapper { return wrapper.baseOwner }
    return object
  }
}
