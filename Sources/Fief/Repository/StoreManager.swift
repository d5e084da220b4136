// SAFETY: the repositories are constant; what they are asked for, the six requirements, has no side effects.
/// Opens and closes the stores of an application together.
///
/// ```swift
/// let manager = StoreManager(directory: path, repositories: [AuthRepository(), PetRepository()])
/// try manager.openAll()
/// defer { manager.close() }
/// ```
/// Each domain stays on its own: one that cannot be opened does not keep the others from being opened.
public final class StoreManager: @unchecked Sendable {
  /// The repositories of the application.
  public let repositories: [any DatabaseConfigurable]

  /// Makes a manager; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - directory: where the stores of the repositories go that name no directory themselves. Other
  ///     objects of the same repository types find their stores there too. nil is the default directory
  ///     of the application.
  ///   - repositories: the descriptions of the stores.
  public init(directory: String? = nil, repositories: [any DatabaseConfigurable]) {
    self.repositories = repositories
    guard let directory else { return }
    for repository in repositories { StoreRegistry.shared.setDirectory(directory, for: repository) }
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

  /// Why stores could not be opened, by name; empty where all are open.
  public func openingErrors() -> [String: FiefError] {
    var errors: [String: FiefError] = [:]
    for repository in repositories {
      if let error = repository.store().openingError { errors[repository.storeName] = error }
    }
    return errors
  }

  /// Commits what waits in each store's queue and closes the stores.
  public func close() {
    for repository in repositories { repository.close() }
  }

  /// What each store holds, in the order of the repositories.
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
