/// A cache of open stores, by the descriptions of their repositories.
///
/// A repository looks up its store at each call. Computing the key of a store requires building path strings,
/// which takes longer than a read. Here it is sufficient that the description is the same as before.
struct RecentStores {
  /// The part of a repository's description that determines its store.
  struct Description: Sendable {
    fileprivate let type: ObjectIdentifier
    fileprivate let version: UInt64
    fileprivate let name: String?
    fileprivate let directory: String?
    fileprivate let memoryType: RealmMemoryType
    /// The manager that the task uses for the repository.
    fileprivate let manager: ObjectIdentifier?
    /// The classes; `nil` for a value without properties, whose classes are always the same, to avoid
    /// creating an array.
    fileprivate let classes: [Object.Type]?

    /// Returns false for a repository whose store also depends on a sandbox or on the identity of the object.
    static func isPossible(for repository: some DatabaseConfigurable) -> Bool {
      repository.realmMemoryType != .inMemory(identifier: nil) && !StoreRegistry.isInSandbox(repository)
    }

    /// Creates the description of a repository for which `isPossible` returns true. The initializer cannot
    /// fail, because a failable initializer would require another type instantiation by the runtime when a
    /// store is opened.
    init<Repository: DatabaseConfigurable>(of repository: Repository, in manager: ManagerBinding?) {
      self.manager = manager.map { ObjectIdentifier($0) }
      memoryType = repository.realmMemoryType
      type = ObjectIdentifier(Swift.type(of: repository))
      version = repository.schemaVersion ?? 0
      name = repository.schemaName
      directory = repository.directory
      classes = MemoryLayout<Repository>.size == 0 ? nil : repository.objectTypes
    }
  }

  /// A cached store. It is a class so that searching does not copy entries.
  private final class Entry: Sendable {
    // The fields of the description are stored separately. To compare two descriptions, the compiler would
    // copy both and retain each of their strings and arrays.
    private let type: ObjectIdentifier
    private let version: UInt64
    private let name: String?
    private let directory: String?
    private let memoryType: RealmMemoryType
    private let manager: ObjectIdentifier?
    private let classes: [Object.Type]?
    /// The object that has its own directory because a manager assigned one.
    private let owner: ObjectIdentifier?
    let store: Store
    let core: StoreCore

    init(_ description: Description, _ owner: ObjectIdentifier?, _ store: Store, _ core: StoreCore) {
      type = description.type
      version = description.version
      name = description.name
      directory = description.directory
      memoryType = description.memoryType
      manager = description.manager
      classes = description.classes
      self.owner = owner
      self.store = store
      self.core = core
    }

    @inline(__always)
    func isOf(_ description: Description, _ owner: ObjectIdentifier?) -> Bool {
      type == description.type && version == description.version && self.owner == owner
        && manager == description.manager && Self.areSame(name, description.name)
        && Self.areSame(directory, description.directory) && memoryType == description.memoryType
        && hasClasses(description.classes)
    }

    @inline(__always)
    private static func areSame(_ first: String?, _ second: String?) -> Bool {
      guard let first, let second else { return first == nil && second == nil }
      return first.hasSameBytes(as: second)
    }

    @inline(__always)
    private func hasClasses(_ others: [Object.Type]?) -> Bool {
      guard let classes, let others else { return (classes == nil) == (others == nil) }
      guard classes.count == others.count else { return false }
      for index in classes.indices where classes[index] != others[index] { return false }
      return true
    }
  }

  /// The maximum number of cached descriptions. It is more than an application needs, and small because a
  /// search compares each.
  private static let limit = 32

  private var entries: [Entry] = []
  /// A number that changes with each ``removeAll()``, so that the result of an earlier lookup is not cached
  /// afterwards.
  private(set) var generation = 0

  /// Returns the open store of a description, or `nil` if it is not cached.
  func store(for description: Description, owner: ObjectIdentifier?) -> Store? {
    for entry in entries where entry.isOf(description, owner) {
      return entry.core.isClosed ? nil : entry.store
    }
    return nil
  }

  mutating func add(_ store: Store, _ core: StoreCore, for description: Description, owner: ObjectIdentifier?)
  {
    entries.removeAll { $0.core.isClosed || $0.isOf(description, owner) }
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(description, owner, store, core))
  }

  mutating func remove(_ core: StoreCore) { entries.removeAll { $0.core === core } }

  mutating func removeAll() {
    entries = []
    generation += 1
  }
}
