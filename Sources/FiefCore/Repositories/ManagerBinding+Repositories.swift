extension ManagerBinding.Kind {
  init<Repository: DatabaseConfigurable>(of repository: Repository) {
    self.init(type: ObjectIdentifier(Swift.type(of: repository)), name: repository.storeName)
  }
}

extension ManagerBinding {
  /// Returns the task's binding for a repository, or `nil` if the task has no binding for it.
  static func inEffect(for repository: some DatabaseConfigurable) -> ManagerBinding? {
    let bindings = current
    if bindings.isEmpty { return nil }
    let kind = Kind(of: repository)
    return bindings.last { $0.has(kind) }
  }
}

extension FiefError {
  /// Returns the error for a value that could be in the directories of several managers.
  static func ambiguous(_ repository: some DatabaseConfigurable, _ directories: [String?]) -> FiefError {
    FiefError(
      .ambiguousRepository,
      "Managers with different directories have this repository, but the value belongs to no manager.",
      store: repository.storeName,
      details: [
        "the repository: \(_typeName(Swift.type(of: repository), qualified: false))",
        "the directories: "
          + directories.map { $0 ?? "the default one" }.sorted().joined(separator: ", "),
        "take it from its manager (manager.repository(…), manager.store(for:)), use it inside manager.use { }, "
          + "or give the repository its own directory",
      ]
    )
  }

  /// Returns the error for a repository that is used with a manager to which it does not belong.
  static func foreign(
    _ repository: some DatabaseConfigurable,
    in other: ManagerBinding?,
    of own: ManagerBinding
  )
    -> FiefError
  {
    FiefError(
      .foreignRepository,
      other == nil
        ? "The manager does not have this repository." : "The repository belongs to another manager.",
      store: repository.storeName,
      details: [
        "the repository: \(_typeName(Swift.type(of: repository), qualified: false))",
        "the manager's directory: \(own.directory ?? "the default one")",
      ] + (other.map { ["the directory of the other manager: \($0.directory ?? "the default one")"] } ?? [])
    )
  }
}
