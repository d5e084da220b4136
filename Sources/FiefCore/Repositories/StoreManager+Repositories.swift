extension StoreManager {
  /// Returns the manager's repository of a type.
  ///
  /// ```swift
  /// let pets = try tenant.repository(PetRepository.self)
  /// ```
  /// - Parameters:
  ///   - type: the type of one of the repositories with which the manager was created.
  ///   - name: the name of the store, if the manager has several repositories of the type; `nil` for the
  ///     first one.
  /// - Returns: the repository, with its store in this manager.
  /// - Throws: ``FiefError`` of code `foreignRepository` if the manager does not have such a repository.
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

  /// Returns the store of a repository in this manager, opening it if necessary.
  ///
  /// - Parameter repository: a repository of the manager, or another repository with the same type and name.
  /// - Returns: the store's handle. If the manager does not have such a repository, or the object belongs to
  ///   a manager with another directory, its ``Store/openingError`` has the code `foreignRepository`.
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

  /// Calls a closure in which repositories of the manager's types belong to this manager if they are created
  /// in the closure or in the tasks that it starts.
  ///
  /// ```swift
  /// try tenant.use { try Shop().adopt("Lulu") }  // makes its own PetRepository()
  /// ```
  /// This does not apply to detached tasks, to threads and dispatch queues of the application, and to
  /// handlers of observations.
  ///
  /// - Returns: the result of the closure.
  @discardableResult
  public func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    try binding.use(body)
  }

  /// Calls a closure in which repositories of the manager's types belong to this manager if they are created
  /// in the closure or in the tasks that it starts.
  ///
  /// - Returns: the result of the closure.
  @discardableResult
  nonisolated(nonsending) public func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await binding.use(body)
  }
}
