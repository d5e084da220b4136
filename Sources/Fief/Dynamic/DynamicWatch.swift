import LMDB

/// Tells of the commits of a store by whatever process, until it is stopped or nobody has it any more.
package final class DynamicWatch: Sendable {
  /// What has happened.
  package enum Sighting: Sendable {
    /// There is a new commit. Of those in quick succession only the last one is sure to be told of.
    case commit
    /// The store's file was deleted, moved or replaced; no commit of others is seen any more.
    case removed
  }

  private let watcher: CommitWatcher
  /// Whether the system has no means to tell of commits, so that they are looked for once in a second.
  package let isPolling: Bool

  init(_ environment: LMDB.Environment, _ handler: @escaping @Sendable (Sighting) -> Void) throws {
    watcher = CommitWatcher(environment)
    let method = try watcher.start { sighting in
      switch sighting {
      case .commit: handler(.commit)
      case .removed: handler(.removed)
      }
    }
    isPolling = method == .polling
  }

  /// Ends it; when this returns, the handler is not running and will not run again.
  package func stop() { watcher.stop() }
}

extension DynamicStore {
  /// Has a closure hear of commits, on a thread of its own, one call at a time.
  ///
  /// A state that is read after this has returned is not older than what the first call is about.
  ///
  /// - Throws: ``FiefError`` of code `storage` where the system has no thread or descriptor left, `storeClosed`.
  package func watch(_ handler: @escaping @Sendable (DynamicWatch.Sighting) -> Void) throws -> DynamicWatch {
    do { return try DynamicWatch(environment, handler) } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// Whether the store was opened without a lock table and has one now: it has to be opened again.
  package var isOutdated: Bool {
    environment.isReadWithoutLocks && (try? environment.hasLockTable()) == true
  }
}
