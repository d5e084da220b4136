import FiefCore
import LMDB

/// Reports the commits of all processes to a store, until it is stopped or released.
package final class DynamicWatch: Sendable {
  /// An event that the watch reports.
  package enum WatchEvent: Sendable {
    /// There is a new commit. Of several commits in quick succession, only the last one is guaranteed to be
    /// reported.
    case commit
    /// The store's file was deleted, moved or replaced. Commits of other processes are no longer reported.
    case removed
  }

  private let watcher: CommitWatcher
  /// Whether the watch polls for commits once per second, because the system cannot report writes to files.
  package let isPolling: Bool

  init(_ environment: LMDB.Environment, _ handler: @escaping @Sendable (WatchEvent) -> Void) throws {
    watcher = CommitWatcher(environment)
    let method = try watcher.start { sighting in
      switch sighting {
      case .commit: handler(.commit)
      case .removed: handler(.removed)
      }
    }
    isPolling = method == .polling
  }

  /// Stops the watch. After this returns, the handler is not running and will not run again.
  package func stop() { watcher.stop() }
}

extension DynamicStore {
  /// Calls a closure for commits, on a separate thread, one call at a time.
  ///
  /// A state read after this method has returned is at least as new as the state of the first call.
  ///
  /// - Throws: ``FiefError`` of code `storage` if the system has no thread or descriptor left, or
  ///   `storeClosed`.
  package func watch(_ handler: @escaping @Sendable (DynamicWatch.WatchEvent) -> Void) throws -> DynamicWatch
  {
    do { return try DynamicWatch(environment, handler) } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// Whether the store was opened without a lock table and has one now, so that it must be opened again.
  package var isOutdated: Bool {
    environment.isReadWithoutLocks && (try? environment.hasLockTable()) == true
  }
}
