/// Reports the commits of all processes to a store.
///
/// A commit writes to the data file, which the system reports: through inotify on Linux and kqueue on Apple's
/// systems. The watcher then reads the number of the commit that a reader sees. Therefore it does not report
/// writes without a commit, and reports a commit only when a read that begins then includes it. Of commits in
/// quick succession, it reports the last one and some of the earlier ones, at most a few hundred per second.
/// It also reports commits of this process.
///
/// Other LMDB programs that write with `MDB_WRITEMAP` change the file through memory, which no system
/// reports. This library never does so.
package final class CommitWatcher: Sendable {
  /// The method by which a watcher detects commits.
  package enum Method: Sendable, Hashable {
    /// The system reports each write within milliseconds.
    case events
    /// The number of the newest commit is read once per second, because the system has no resources for
    /// another watcher or the file is on another machine.
    case polling
  }

  /// An event that a watcher has detected.
  package enum CommitEvent: Sendable, Hashable {
    /// The store has a new commit. The number belongs to the newest commit, or to a later one than the last
    /// report. A number may be reported twice.
    case commit(UInt64)
    /// The data file was deleted, moved or replaced. Reported once. An open environment is not affected.
    case removed
  }

  private let environment: Environment
  private let mayUseEvents: Bool
  private let loop: WatchLoop
  private let monitor = Monitor()
  // SAFETY: accessed only while the monitor is locked.
  nonisolated(unsafe) private var watch: CommitWatch?

  /// Creates a watcher of an open environment. The watcher does nothing before ``start(_:)``.
  package convenience init(_ environment: Environment) { self.init(environment, mayUseEvents: true) }

  /// - Parameters:
  ///   - environment: The environment to watch.
  ///   - mayUseEvents: Whether the system may be asked to report writes.
  ///   - threadName: The system's name for the watcher's thread. At most 15 characters count.
  package init(_ environment: Environment, mayUseEvents: Bool = true, threadName: String = "fief.watcher") {
    self.environment = environment
    loop = WatchLoop(threadName: threadName)
    self.mayUseEvents = mayUseEvents
  }

  /// Creates a watcher that shares one thread with all other watchers created by this initializer. Its
  /// handler must return immediately.
  package init(sharingThread environment: Environment) {
    self.environment = environment
    loop = .shared
    mayUseEvents = true
  }

  deinit { if let watch { loop.end(watch) } }

  /// Begins to watch.
  ///
  /// Read the store after this method has returned: the watcher reports the commits after that state, so you
  /// miss none. Watching ends with ``stop()``, with the release of the watcher, or when the environment is
  /// closed.
  ///
  /// - Parameter handler: Called on the watcher's thread, one call at a time. Commits that are made during a
  ///   call are combined.
  /// - Returns: The method by which commits are detected.
  /// - Throws: ``LMDBError`` of code `environmentClosed`, `forkedProcess`; `incompatible` if the watcher is
  ///   already watching; `systemCall` if the system has no thread or descriptor left.
  @discardableResult
  package func start(_ handler: @escaping @Sendable (CommitEvent) -> Void) throws(LMDBError) -> Method {
    monitor.lock()
    defer { monitor.unlock() }
    guard watch == nil else {
      throw LMDBError(.incompatible, "The store is already being watched.", path: environment.directory)
    }
    let started = try CommitWatch(environment, mayUseEvents: mayUseEvents, handler)
    try loop.add(started)
    watch = started
    return started.method
  }

  /// Ends watching. When this method returns, the handler is not running and will not run again.
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
