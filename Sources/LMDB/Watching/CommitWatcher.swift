/// Reports the commits of all processes to a store.
///
/// A commit writes to the data file, which the system reports: inotify on Linux, kqueue on Apple's systems. The watcher
/// then compares the number of the commit that a reader sees, so that writes without a commit are not reported, and
/// a commit is reported only when a read that begins then has it. Of commits in quick succession the last one is
/// reported and some of those before it, at most a few hundred in a second. Commits of this process are reported too.
///
/// Other LMDB programs that write with `MDB_WRITEMAP` change the file through memory, which no system reports.
/// This library never does so.
package final class CommitWatcher: Sendable {
  /// The method by which a watcher finds commits.
  package enum Method: Sendable, Hashable {
    /// The system reports each write, within milliseconds.
    case events
    /// The number of the newest commit is read once in a second: the system has no resources for another
    /// watcher, or the file is on another machine.
    case polling
  }

  /// An event that a watcher has seen.
  package enum Sighting: Sendable, Hashable {
    /// The store has a new commit: the number of the newest one, or of a later one than the last that was reported.
    /// A number may come twice.
    case commit(UInt64)
    /// The data file has been deleted, moved or replaced. Reported once; an open environment stays as it is.
    case removed
  }

  private let environment: Environment
  private let mayUseEvents: Bool
  private let loop: WatchLoop
  private let monitor = Monitor()
  // SAFETY: touched with the monitor locked only.
  nonisolated(unsafe) private var watch: CommitWatch?

  /// Makes a watcher of an open environment; it does nothing before ``start(_:)``.
  package convenience init(_ environment: Environment) { self.init(environment, mayUseEvents: true) }

  /// - Parameters:
  ///   - environment: the environment to watch.
  ///   - mayUseEvents: whether the system is asked to report writes.
  ///   - threadName: the system's name of the watcher's thread; at most 15 characters count.
  package init(_ environment: Environment, mayUseEvents: Bool = true, threadName: String = "fief.watcher") {
    self.environment = environment
    loop = WatchLoop(threadName: threadName)
    self.mayUseEvents = mayUseEvents
  }

  /// Makes a watcher that shares one thread with all other watchers made by this initializer. Its handler has to return at once.
  package init(sharingThread environment: Environment) {
    self.environment = environment
    loop = .shared
    mayUseEvents = true
  }

  deinit { if let watch { loop.end(watch) } }

  /// Begins to watch.
  ///
  /// A state that is read after this has returned is not older than that of the first call of the handler: read,
  /// and no commit is missed. Watching ends with ``stop()``, with the watcher, or when the environment is closed.
  ///
  /// - Parameter handler: called on the watcher's thread, one call at a time. While it runs, commits are collected.
  /// - Returns: the method by which commits are found.
  /// - Throws: ``LMDBError`` of code `environmentClosed`, `forkedProcess`; `incompatible` where it watches
  ///   already; `systemCall` where the system has no thread or descriptor left.
  @discardableResult
  package func start(_ handler: @escaping @Sendable (Sighting) -> Void) throws(LMDBError) -> Method {
    monitor.lock()
    defer { monitor.unlock() }
    guard watch == nil else {
      throw LMDBError(.incompatible, "The store is being watched already.", path: environment.directory)
    }
    let started = try CommitWatch(environment, mayUseEvents: mayUseEvents, handler)
    try loop.add(started)
    watch = started
    return started.method
  }

  /// Ends watching; when it returns, the handler is not running and will not run again.
  ///
  /// A call from within the handler does not wait for that call of the handler. Further calls do nothing.
  package func stop() {
    monitor.lock()
    let current = watch
    monitor.unlock()
    guard let current else { return }
    loop.stop(current)
    monitor.lock()
    if watch === current { watch = nil }
    monitor.unlock()
  }
}
