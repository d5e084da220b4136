import FiefCore
import LMDB

/// Reports the commits of all processes to a store, until it is stopped or released.
package final class DynamicWatch: Sendable {
  /// A change that the watch has seen.
  package enum Sighting: Sendable {
    /// There is a new commit. Of commits in quick succession only the last one is sure to be reported.
    case commit
    /// The store's file was deleted, moved or replaced; no commit of others is seen any more.
    case removed
  }

  private let watcher: CommitWatcher
  /// Whether the system cannot report writes to files, so that commits are polled for once in a second.
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
  /// Calls a closure for commits, on a thread of its own, one call at a time.
  ///
  /// A state that is read after this has returned is not older than that of the first call.
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
