import Fief

/// The repository of a tree.
///
/// Two trees are the same if their repositories are the same object, or values of one type that describe the
/// same store.
final class TreeOrigin: Sendable, Hashable {
  let repository: any DatabaseConfigurable & Sendable
  let rules: AccessRules

  init(_ repository: any DatabaseConfigurable & Sendable, _ rules: AccessRules) {
    self.repository = repository
    self.rules = rules
  }

  /// Returns the handle of the repository's store, and the open store.
  ///
  /// - Throws: `FiefError` if the store cannot be opened, or if the repository does not declare the classes of
  ///   a tree.
  func store() throws -> (Store, StoreCore) {
    let store = repository.store()
    return (store, try store.core())
  }

  private var object: AnyObject? {
    type(of: repository) is AnyClass ? repository as AnyObject : nil
  }

  static func == (first: TreeOrigin, second: TreeOrigin) -> Bool {
    if first === second { return true }
    if let one = first.object, let other = second.object { return one === other }
    let (one, other) = (first.repository, second.repository)
    return type(of: one) == type(of: other) && one.realmMemoryType == other.realmMemoryType
      && one.schemaName.hasSameBytes(as: other.schemaName) && one.directory.hasSameBytes(as: other.directory)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type(of: repository))) }
}
