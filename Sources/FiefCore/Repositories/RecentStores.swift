/// The open stores that the descriptions of repositories have led to.
///
/// A repository looks its store up at each call. Working out the key of a store means making strings of
/// paths, which takes longer than a read; here it is enough that the description is the same as before.
struct RecentStores {
  /// The part of a repository's description that decides which store it has.
  struct Description: Equatable, Sendable {
    private let type: ObjectIdentifier
    private let version: UInt64
    private let name: String?
    fileprivate let directory: String?
    private let memoryType: RealmMemoryType
    /// The manager that the task uses for it.
    private let manager: ObjectIdentifier?
    /// The classes. Of a value without properties they are always the same, and an array of them need not be made.
    private let classes: [Object.Type]?

    /// False for a repository whose store depends on more: on a sandbox, or on which object it is.
    static func isPossible(for repository: some DatabaseConfigurable) -> Bool {
      repository.realmMemoryType != .inMemory(identifier: nil) && !StoreRegistry.isInSandbox(repository)
    }

    /// The description of a repository for which it is possible; an initializer that fails would have the
    /// runtime make another type, and this one is needed to open a store.
    init<Repository: DatabaseConfigurable>(of repository: Repository, in manager: ManagerBinding?) {
      self.manager = manager.map { ObjectIdentifier($0) }
      memoryType = repository.realmMemoryType
      type = ObjectIdentifier(Swift.type(of: repository))
      version = repository.schemaVersion ?? 0
      name = repository.schemaName
      directory = repository.directory
      classes = MemoryLayout<Repository>.size == 0 ? nil : repository.objectTypes
    }

    static func == (first: Description, second: Description) -> Bool {
      first.type == second.type && first.version == second.version
        && first.name.hasSameBytes(as: second.name) && first.directory.hasSameBytes(as: second.directory)
        && first.memoryType == second.memoryType
        && first.manager == second.manager && first.hasClasses(of: second)
    }

    private func hasClasses(of other: Description) -> Bool {
      guard let classes, let others = other.classes else { return (classes == nil) == (other.classes == nil) }
      guard classes.count == others.count else { return false }
      for index in classes.indices where classes[index] != others[index] { return false }
      return true
    }
  }

  /// A class, so that a search copies none.
  private final class Entry: Sendable {
    let description: Description
    /// The object whose own directory it is, where a manager gave it one.
    let owner: ObjectIdentifier?
    let store: Store
    let core: StoreCore

    init(_ description: Description, _ owner: ObjectIdentifier?, _ store: Store, _ core: StoreCore) {
      self.description = description
      self.owner = owner
      self.store = store
      self.core = core
    }
  }

  /// More descriptions than any application has at a time; a search compares each.
  private static let limit = 32

  private var entries: [Entry] = []
  /// Changes with each ``removeAll()``: a lookup from before it is not kept after it.
  private(set) var generation = 0

  /// The open store of a description, nil where it is not known.
  func store(for description: Description, owner: ObjectIdentifier?) -> Store? {
    for entry in entries where entry.owner == owner && entry.description == description {
      return entry.core.isClosed ? nil : entry.store
    }
    return nil
  }

  mutating func add(_ store: Store, _ core: StoreCore, for description: Description, owner: ObjectIdentifier?)
  {
    entries.removeAll { $0.core.isClosed || ($0.owner == owner && $0.description == description) }
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(description, owner, store, core))
  }

  mutating func remove(_ core: StoreCore) { entries.removeAll { $0.core === core } }

  mutating func removeAll() {
    entries = []
    generation += 1
  }
}
