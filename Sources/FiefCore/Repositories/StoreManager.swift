// SAFETY: the repositories are constant; their six requirements have no side effects.
/// Opens and closes the stores of an application together, and says in which directory they are.
///
/// ```swift
/// let manager = StoreManager(directory: path, repositories: [AuthRepository(), PetRepository()])
/// try manager.openAll()
/// defer { manager.close() }
/// ```
/// Each domain stays on its own: one that cannot be opened does not keep the others from being opened.
///
/// A manager has its own repositories, and several managers may have the same ones in different directories,
/// one for each tenant for example. A repository belongs to one of them by these rules:
/// - A repository with a ``DatabaseConfigurable/directory`` of its own has its store there.
/// - A repository object that was given to a manager belongs to that manager. Giving it to one with another
///   directory is an error of code `foreignRepository`, thrown by ``openAll()`` and by every use of it there.
/// - What ``repositories``, ``repository(_:named:)`` and ``store(for:)`` give belongs to the manager, and so do the
///   repositories that are made inside of `use(_:)`.
/// - Any other repository, such as a `PetRepository()` that is made where it is needed, is searched in the
///   managers that are alive and have one of its type and name. All of them have to have the same directory:
///   with two directories its use fails with code `ambiguousRepository`. Where no such manager is alive, the
///   directory of the last one counts.
public final class StoreManager: @unchecked Sendable {
  /// The repositories of the manager. A value comes as a ``BoundRepository``, whose store is in the manager's
  /// directory; an object, and what names its own directory or is in memory, as it was given.
  public let repositories: [any DatabaseConfigurable]
  let binding: ManagerBinding

  /// Makes a manager; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - directory: the directory of the stores whose repositories name none themselves; nil is the
  ///     default directory of the application.
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

  /// Opens every store, with the migrations that are due.
  ///
  /// - Throws: the first ``FiefError``, after all stores were tried; those that could be opened are open.
  public func openAll() throws {
    var failure: FiefError?
    for repository in repositories {
      failure = failure ?? repository.store().openingError
    }
    if let failure { throw failure }
  }

  /// The errors of stores that could not be opened, by name; empty where all are open.
  public func openingErrors() -> [String: FiefError] {
    var errors: [String: FiefError] = [:]
    for repository in repositories {
      if let error = repository.store().openingError { errors[repository.storeName] = error }
    }
    return errors
  }

  /// Commits the works in each store's queue and closes the stores.
  ///
  /// The next use of a repository opens its store again; see ``DatabaseConfigurable/close()``.
  public func close() {
    for repository in repositories { repository.close() }
  }

  /// The content of each store, in the order of the repositories.
  ///
  /// - Throws: ``FiefError`` for a store that cannot be opened or read.
  public func overview() throws -> [StoreOverview] {
    try repositories.map { try $0.overview() }
  }
}

extension DatabaseConfigurable {
  /// The name of the store, that of the default store for nil.
  public var storeName: String { schemaName ?? Self.defaultStoreName }
}
