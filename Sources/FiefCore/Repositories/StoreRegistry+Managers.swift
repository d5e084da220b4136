import LMDB

extension StoreRegistry {
  /// Binds repositories to a manager.
  ///
  /// - Returns: the repositories in order. A value whose store is in the manager's directory is returned as a
  ///   ``BoundRepository``. An object that belongs to another directory is returned as a repository that
  ///   fails.
  func bind(_ repositories: [any DatabaseConfigurable], to binding: ManagerBinding)
    -> [any DatabaseConfigurable]
  {
    let bound = repositories.map { bind($0, to: binding) }
    state.withLock {
      $0.directories.add(binding)
      $0.recent.removeAll()
    }
    return bound
  }

  private func bind(_ repository: some DatabaseConfigurable, to binding: ManagerBinding)
    -> any DatabaseConfigurable
  {
    guard repository.realmMemoryType == .inStorage, repository.directory == nil else { return repository }
    guard let object = repository.identity else { return wrap(repository, in: binding) }
    let other = state.withLock { state -> ManagerBinding? in
      let known = state.directories.binding(of: repository)
      if let known, state.directories.isLiving(known), !known.isInDirectory(of: binding) { return known }
      state.directories.bind(object, to: binding)
      return nil
    }
    guard let other else { return repository }
    return wrap(repository, in: binding, failure: .foreign(repository, in: other, of: binding))
  }

  /// Returns a repository bound to the directory of a manager.
  func wrap<Repository: DatabaseConfigurable>(
    _ repository: Repository,
    in binding: ManagerBinding,
    failure: FiefError? = nil
  ) -> BoundRepository<Repository> {
    let wrapper = BoundRepository(repository)
    state.withLock { $0.directories.bind(wrapper, to: binding, failure: failure) }
    return wrapper
  }

  /// Removes a manager that was released.
  func unbind(_ binding: ManagerBinding) {
    state.withLock {
      $0.directories.remove(binding)
      $0.recent.removeAll()
    }
  }

  /// Returns the binding of a repository object, or `nil` for a value.
  func binding(of repository: some DatabaseConfigurable) -> ManagerBinding? {
    state.withLock { $0.directories.binding(of: repository) }
  }
}
