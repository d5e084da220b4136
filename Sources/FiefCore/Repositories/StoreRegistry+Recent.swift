import LMDB

extension StoreRegistry {
  /// Returns the handle of a repository's store, opening the store if necessary.
  func store(for repository: some DatabaseConfigurable) -> Store {
    guard RecentStores.Description.isPossible(for: repository) else { return found(repository) }
    let description = RecentStores.Description(
      of: repository,
      in: ManagerBinding.inEffect(for: repository)
    )
    let (known, owner, generation) = state.withLock { state in
      let owner = state.directories.registered(repository)
      return (state.recent.store(for: description, owner: owner), owner, state.recent.generation)
    }
    if let known { return known }
    let store = found(repository)
    if let core = store.openedCore {
      state.withLock {
        if $0.recent.generation == generation { $0.recent.add(store, core, for: description, owner: owner) }
      }
    }
    return store
  }

  /// Whether a sandbox redirects the repository's store.
  static func isInSandbox(_ repository: some DatabaseConfigurable) -> Bool {
    StoreSandbox.isUsed && sandbox(of: repository) != nil
  }
}
