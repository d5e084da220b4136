// SAFETY: the repositories are constant, and their requirements have no side effects.
/// A manager that opens and closes the stores of an application together, and determines their directory.
///
/// ```swift
/// let manager = StoreManager(directory: path, repositories: [AuthRepository(), PetRepository()])
/// try manager.openAll()
/// defer { manager.close() }
/// ```
/// The domains are independent: if one store cannot be opened, the others can still be used.
///
/// A manager has its own repositories. Several managers may have the same repositories in different
/// directories, for example one manager for each tenant. These rules determine to which manager a repository
/// belongs:
/// - A repository with its own ``DatabaseConfigurable/directory`` has its store there.
/// - A repository object that was passed to a manager belongs to this manager. Passing it to a manager with
///   another directory is an error of code `foreignRepository`, which ``openAll()`` and every use of the
///   object in the second manager throw.
/// - The results of ``repositories``, ``repository(_:named:)`` and ``store(for:)`` belong to the manager, and
///   so do repositories that are created in `use(_:)`.
/// - Any other repository, such as a `PetRepository()` that is created when it is needed, uses the living
///   managers that have a repository of its type and name. All of these must have the same directory;
///   otherwise using the repository fails with code `ambiguousRepository`. If no such manager is alive, the
///   directory of the last one is used.
public final class StoreManager: @unchecked Sendable {
  /// The repositories of the manager. A value is returned as a ``BoundRepository``, whose store is in the
  /// manager's directory. An object is returned unchanged, and so is a repository that specifies its own
  /// directory or is in memory.
  public let repositories: [any DatabaseConfigurable]
  let binding: ManagerBinding

  /// Creates a manager without opening stores.
  ///
  /// - Parameters:
  ///   - directory: the directory of the stores whose repositories specify none; `nil` for the application's
  ///     default directory.
  ///   - repositories: the descriptions of the stores.
  public init(directory: String? = nil, repositories: [any DatabaseConfigurable]) {
    let sandbox = StoreSandbox.innermost
    binding = ManagerBinding(
      directory: directory,
      kinds: repositories.map { Self.kind(of: $0) },
      sandbox: sandbox
    )
    self.repositories = StoreRegistry.shared.bind(repositories, to: binding)
  }

  deinit { StoreRegistry.shared.unbind(binding) }

  private static func kind(of repository: some DatabaseConfigurable) -> ManagerBinding.Kind {
    ManagerBinding.Kind(of: repository)
  }

  /// Opens every store and runs pending migrations.
  ///
  /// - Throws: the first ``FiefError``, after all stores were tried. The stores that could be opened are
  ///   open.
  public func openAll() throws {
    var failure: FiefError?
    for repository in repositories {
      failure = failure ?? repository.store().openingError
    }
    if let failure { throw failure }
  }

  /// Returns the errors of stores that could not be opened, by name. The dictionary is empty if all stores
  /// are open. Of several stores whose names are canonically equivalent, it has only the first error.
  public func openingErrors() -> [String: FiefError] {
    var errors: [String: FiefError] = [:]
    for repository in repositories {
      let name = repository.storeName
      if let error = repository.store().openingError, errors[name] == nil { errors[name] = error }
    }
    return errors
  }

  /// Commits the writes in each store's queue and closes the stores.
  ///
  /// The next use of a repository opens its store again; see ``DatabaseConfigurable/close()``.
  public func close() {
    for repository in repositories { repository.close() }
  }

  /// Returns the overview of each store, in the order of the repositories.
  ///
  /// - Throws: ``FiefError`` for a store that cannot be opened or read.
  public func overview() throws -> [StoreOverview] {
    try repositories.map { try $0.overview() }
  }
}

extension DatabaseConfigurable {
  /// The name of the store. If the repository declares no name, it is the name of the default store.
  public var storeName: String { schemaName ?? Self.defaultStoreName }
}
