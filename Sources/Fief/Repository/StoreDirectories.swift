import LMDB

/// The directories that managers have given to their repositories.
///
/// A repository object keeps the directory of its manager. Other objects of the same type that are made
/// elsewhere find the directory of the type's last manager, so that a repository can be made wherever it
/// is needed.
// SAFETY: owners are only held weakly and compared; nothing is called on them.
struct StoreDirectories: @unchecked Sendable {
  private final class Owned {
    weak var owner: AnyObject?
    let directory: String

    init(owner: AnyObject, directory: String) {
      self.owner = owner
      self.directory = directory
    }
  }

  private var byObject = SortedTable<ObjectIdentifier, Owned>()
  private var byType = SortedTable<String, String>()

  mutating func set(_ directory: String, for repository: some DatabaseConfigurable) {
    byObject.removeAll { $0.owner == nil }
    if let owner = repository.identity {
      byObject[ObjectIdentifier(owner)] = Owned(owner: owner, directory: directory)
    }
    byType[Self.typeKey(repository)] = directory
  }

  func directory(of repository: some DatabaseConfigurable) -> String? {
    if byType.isEmpty { return nil }
    if let owner = repository.identity, let owned = byObject[ObjectIdentifier(owner)], owned.owner === owner {
      return owned.directory
    }
    return byType[Self.typeKey(repository)]
  }

  /// The identity of a repository object that has a directory of its own; nil for any other repository.
  func registered(_ repository: some DatabaseConfigurable) -> ObjectIdentifier? {
    guard !byObject.isEmpty, let owner = repository.identity else { return nil }
    let id = ObjectIdentifier(owner)
    return byObject[id]?.owner === owner ? id : nil
  }

  private static func typeKey(_ repository: some DatabaseConfigurable) -> String {
    "\(_typeName(Swift.type(of: repository)))/\(repository.storeName)"
  }
}
