import LMDB

/// The directories that managers have assigned to their repositories.
///
/// A repository object uses the directory of its manager. A value, or another object of the same type, does
/// not know its manager. It uses the directory of the living managers that have such a repository, if they
/// all have the same directory.
// SAFETY: owners are only referred to weakly and compared; nothing is called on them.
struct StoreDirectories: @unchecked Sendable {
  private final class Owned {
    weak var owner: AnyObject?
    let binding: ManagerBinding
    /// The reason why the object has no store.
    let failure: FiefError?

    init(owner: AnyObject, _ binding: ManagerBinding, _ failure: FiefError?) {
      self.owner = owner
      self.binding = binding
      self.failure = failure
    }
  }

  /// The bindings of managers that have a repository with a particular type and name.
  private struct Claims {
    let name: String
    var living: [ManagerBinding] = []
    /// The bindings of released managers, for repositories that are used after the last manager was released.
    /// There are at most two, with different directories.
    var past: [ManagerBinding] = []

    mutating func end(_ binding: ManagerBinding) {
      let count = living.count
      living.removeAll { $0 === binding }
      if living.count == count || binding.sandbox != nil || past.count > 1 { return }
      if !past.contains(where: { $0.isInDirectory(of: binding) }) { past.append(binding) }
    }
  }

  private var byObject = SortedTable<ObjectIdentifier, Owned>()
  private var byType = SortedTable<ObjectIdentifier, [Claims]>()

  /// Adds the repositories of a new manager.
  mutating func add(_ binding: ManagerBinding) {
    for kind in binding.kinds {
      var claims = byType[kind.type] ?? []
      let index = claims.firstIndex { $0.name.hasSameBytes(as: kind.name) } ?? claims.count
      if index == claims.count { claims.append(Claims(name: kind.name)) }
      if claims[index].living.isEmpty { claims[index].past = [] }
      claims[index].living.append(binding)
      byType[kind.type] = claims
    }
  }

  /// Removes a manager that was released. Its objects keep their stores.
  mutating func remove(_ binding: ManagerBinding) {
    for kind in binding.kinds {
      guard var claims = byType[kind.type] else { continue }
      for index in claims.indices where claims[index].name.hasSameBytes(as: kind.name) {
        claims[index].end(binding)
      }
      claims.removeAll { $0.living.isEmpty && $0.past.isEmpty }
      byType[kind.type] = claims.isEmpty ? nil : claims
    }
  }

  /// Assigns the directory of a manager to an object.
  ///
  /// - Parameter failure: the reason why the object has no store there.
  mutating func bind(_ owner: AnyObject, to binding: ManagerBinding, failure: FiefError? = nil) {
    byObject.removeAll { $0.owner == nil }
    byObject[ObjectIdentifier(owner)] = Owned(owner: owner, binding, failure)
  }

  /// Returns the binding of a repository object, or `nil` for any other repository.
  func binding(of repository: some DatabaseConfigurable) -> ManagerBinding? { owned(repository)?.binding }

  /// Whether the manager of a binding still exists.
  func isLiving(_ binding: ManagerBinding) -> Bool {
    binding.kinds.contains { kind in
      byType[kind.type]?.contains { $0.living.contains { $0 === binding } } ?? false
    }
  }

  /// Returns the directory that a manager has assigned to a repository, or `nil` for the application's
  /// default directory.
  ///
  /// - Parameters:
  ///   - scope: the manager that the task uses for the repository.
  ///   - sandbox: the sandbox of the current test.
  /// - Throws: ``FiefError`` of code `ambiguousRepository` or `foreignRepository`.
  func directory(
    of repository: some DatabaseConfigurable,
    scope: ManagerBinding?,
    sandbox: ObjectIdentifier?
  ) throws(FiefError) -> String? {
    if let owned = owned(repository) {
      if let failure = owned.failure { throw failure }
      return owned.binding.directory
    }
    if let scope { return scope.directory }
    if byType.isEmpty { return nil }
    let kind = ManagerBinding.Kind(of: repository)
    guard let claims = byType[kind.type]?.first(where: { $0.name.hasSameBytes(as: kind.name) }) else {
      return nil
    }
    // Managers of other tests do not count.
    var candidates = claims.living.filter { $0.sandbox == sandbox }
    if candidates.isEmpty { candidates = claims.living.filter { $0.sandbox == nil } }
    if candidates.isEmpty { candidates = claims.past }
    guard let first = candidates.first else { return nil }
    guard let other = candidates.first(where: { !$0.isInDirectory(of: first) }) else {
      return first.directory
    }
    throw FiefError.ambiguous(repository, [first.directory, other.directory])
  }

  /// Returns the identity of the store of a registered repository object, or `nil` for any other repository.
  func registered(_ repository: some DatabaseConfigurable) -> ObjectIdentifier? {
    guard let owned = owned(repository) else { return nil }
    return owned.failure == nil ? ObjectIdentifier(owned.binding) : ObjectIdentifier(owned)
  }

  private func owned(_ repository: some DatabaseConfigurable) -> Owned? {
    guard !byObject.isEmpty, let owner = repository.identity, let owned = byObject[ObjectIdentifier(owner)],
      owned.owner === owner
    else { return nil }
    return owned
  }
}
