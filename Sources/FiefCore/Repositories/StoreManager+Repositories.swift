extension StoreManager {
  /// The manager's repository of a type.
  ///
  /// ```swift
  /// let pets = try tenant.repository(PetRepository.self)
  /// ```
  /// - Parameters:
  ///   - type: the type of one of the repositories that the manager was made with.
  ///   - name: the name of the store, where it has several of the type; nil is the first one.
  /// - Returns: the repository with its store in this manager.
  /// - Throws: ``FiefError`` of code `foreignRepository` where the manager has none.
  public func repository<Repository: DatabaseConfigurable>(
    _ type: Repository.Type,
    named name: String? = nil
  ) throws -> BoundRepository<Repository> {
    for repository in repositories where name?.hasSameBytes(as: repository.storeName) ?? true {
      if let bound = repository as? BoundRepository<Repository> { return bound }
      if let own = repository as? Repository { return StoreRegistry.shared.wrap(own, in: binding) }
    }
    throw FiefError(
      .foreignRepository,
      "The manager does not have this repository.",
      store: name,
      details: [
        "the repository: \(_typeName(type, qualified: false))",
        "the manager's stores: " + repositories.map(\.storeName).sorted().joined(separator: ", "),
      ]
    )
  }

  /// The store of a repository in this manager; it is opened where it is not open yet.
  ///
  /// - Parameter repository: one of the manager's, or another of the same type and name.
  /// - Returns: the store's handle. Where the manager does not have such a repository, or where the object
  ///   belongs to a manager with another directory, its ``Store/openingError`` has the code
  ///   `foreignRepository`.
  public func store(for repository: some DatabaseConfigurable) -> Store {
    if let other = StoreRegistry.shared.binding(of: repository) {
      if other.isInDirectory(of: binding) { return repository.store() }
      return Store(
        .failure(.foreign(repository, in: other, of: binding)),
        StoreRegistry.reporter(for: repository)
      )
    }
    guard binding.has(ManagerBinding.Kind(of: repository)) else {
      return Store(
        .failure(.foreign(repository, in: nil, of: binding)),
        StoreRegistry.reporter(for: repository)
      )
    }
    return binding.use { repository.store() }
  }

  /// Calls a closure in which the repositories that are made anywhere belong to this manager, as far as it has
  /// such ones: in the closure and in the tasks that it starts.
  ///
  /// ```swift
  /// try tenant.use { try Shop().adopt("Lulu") }  // makes its own PetRepository()
  /// ```
  /// Detached tasks, threads and dispatch queues of the application, and handlers of observers, are left out.
  ///
  /// - Returns: what the closure returns.
  @discardableResult
  public func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    try binding.use(body)
  }

  /// Calls a closure in which the repositories that are made anywhere belong to this manager, as far as it has
  /// such ones: in the closure and in the tasks that it starts.
  ///
  /// - Returns: what the closure returns.
  @discardableResult
  nonisolated(nonsending) public func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await binding.use(body)
  }
}
