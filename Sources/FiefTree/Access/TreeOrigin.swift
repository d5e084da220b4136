import Fief
import Synchronization

/// The repository of a tree.
///
/// Two trees are the same if their repositories are the same object, or values of one type that describe the
/// same store.
final class TreeOrigin: Sendable, Hashable {
  let repository: any DatabaseConfigurable & Sendable
  let rules: AccessRules
  /// The number of the open store whose indexes were last completed.
  private let completed = Atomic<UInt64>(0)
  /// The work that completes the indexes.
  private let completion = Lock<Task<Void, Never>?>(nil)

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
    let core = try store.core()
    rules.reportPublicAccess(to: core)
    if completed.load(ordering: .relaxed) != core.number { completeIndexes(of: core) }
    return (store, core)
  }

  /// Returns whether the store of a scope is the repository's.
  ///
  /// It opens no store: a thread that closes the store waits for the end of the scope, and opening the store
  /// again would wait for that thread.
  ///
  /// - Throws: `FiefError` of code `storeClosed` for a store in memory that is closing and that this tree has
  ///   not used before; errors of the repository's location.
  func isOrigin(of core: StoreCore) throws -> Bool {
    if completed.load(ordering: .relaxed) == core.number { return true }
    let place = try StoreRegistry.shared.storageDirectory(of: repository)
    if StoreRegistry.shared.openCore(place) === core {
      rules.reportPublicAccess(to: core)
      completeIndexes(of: core)
      return true
    }
    guard core.isInMemory else { return ExactText(core.directory) == ExactText(place) }
    if core.isClosed { throw FiefError(.storeClosed, "The store is closed.", store: core.name) }
    return false
  }

  /// Adds the declared indexes that the store does not have, and builds incomplete ones, in the background.
  @inline(never)
  private func completeIndexes(of core: StoreCore) {
    if completed.exchange(core.number, ordering: .relaxed) == core.number { return }
    if core.isReadOnly || TreeIndexTables(core.tables) == nil { return }
    let build = TreeIndexBuild(core, rules.indexes)
    let task = Task.detached(priority: .utility) {
      do { try await build.run() } catch {
        if core.isClosed { return }
        let error = FiefError.described(error, store: core.name)
        core.emit(
          .maintenanceFailed(
            store: core.name,
            error: error as? FiefError
              ?? FiefError(.storage, "An index could not be built.", underlying: error)
          )
        )
      }
    }
    completion.withLock { $0 = task }
  }

  /// Waits until the indexes are complete, or could not be completed.
  func waitForIndexes() async throws {
    _ = try store()
    await completion.withLock { $0 }?.value
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
