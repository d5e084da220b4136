import Synchronization

/// The thread of a watcher, from its start to its stop.
///
/// It never waits for a transaction of this process, nor for the map to move: it may be stopped inside of a transaction.
final class CommitWatch: @unchecked Sendable {
  // SAFETY: `isStopping`, `hasEnded` and `thread` are touched with the monitor locked only; `last`, `lastGrown`,
  // `fileEpoch` and `isRemovalTold` by the thread only, once it runs. All else is immutable or thread-safe.

  let method: CommitWatcher.Method
  private let environment: Environment
  private let path: String?
  private let events: FileEvents
  private let handler: @Sendable (CommitWatcher.Sighting) -> Void
  private let monitor = Monitor()
  private var isStopping = false
  private var hasEnded = false
  private var thread: UInt = 0

  private var last: UInt64?
  private var lastGrown: UInt64?
  private var isRemovalTold = false
  /// The number of the environment's data file that is watched.
  private var fileEpoch: UInt32

  /// The least time between a call and the next one, in milliseconds.
  private static let restAfterCall: Int32 = 3
  /// The same after an event without a commit: the pages of a large one are written over some time.
  private static let restAfterEvent: Int32 = 1
  private static let second: Int32 = 1000
  private static let forEver: Int32 = -1

  init(
    _ environment: Environment,
    mayUseEvents: Bool,
    threadName: String,
    _ handler: @escaping @Sendable (CommitWatcher.Sighting) -> Void
  ) throws(LMDBError) {
    try environment.checkUsable()
    self.environment = environment
    self.handler = handler
    // Before the file is watched: one that is exchanged meanwhile is watched again.
    fileEpoch = environment.fileEpoch.load(ordering: .sequentiallyConsistent)
    path = environment.absoluteDataPath()
    events = try FileEvents(of: mayUseEvents ? path : nil, store: environment.directory)
    method = events.isWatching ? .events : .polling
    // The check comes after the start of the events: later commits wake the thread.
    if case .seen(let commit, isBehind: false, isRemoved: _) = environment.lookAtCommits(path) {
      last = commit
    }
    guard DetachedThread.start(name: threadName, { self.run() }) else {
      events.close()
      throw LMDBError(.systemCall, "The system has no thread left.", path: environment.directory)
    }
  }

  /// Ends the thread without waiting for it.
  func end() {
    monitor.lock()
    askToEnd()
    monitor.unlock()
  }

  func stop() {
    monitor.lock()
    askToEnd()
    // The threads of a process that was forked off are its parent's.
    if thread != currentThread(), environment.isSameProcess {
      while !hasEnded { monitor.wait() }
    }
    monitor.unlock()
  }

  private func askToEnd() {
    guard !isStopping else { return }
    isStopping = true
    if !hasEnded { events.wake() }
  }

  private func run() {
    monitor.lock()
    thread = currentThread()
    monitor.unlock()
    watch()
    monitor.lock()
    hasEnded = true
    events.close()
    monitor.broadcast()
    monitor.unlock()
  }

  private func watch() {
    var idle = events.isWatching ? Self.forEver : Self.second
    // A first check at once where the one at the start has failed.
    var limit = last == nil ? 0 : idle
    var retry: Int32 = 1
    while events.waitForEvent(milliseconds: limit) {
      let isSettled: Bool
      let hasCalled: Bool
      let epoch = environment.fileEpoch.load(ordering: .sequentiallyConsistent)
      if epoch != fileEpoch {
        fileEpoch = epoch
        // The watch begins before the read, so that a later commit wakes the thread.
        if !events.watchAgain(path) { idle = Self.second }
      }
      switch environment.lookAtCommits(path) {
      case .ended: return
      case .later: (isSettled, hasCalled) = (false, false)
      case .grown(let commit):
        // The new state can be read when a reader of this process has followed the growth.
        hasCalled = commit != lastGrown
        lastGrown = commit
        last = nil
        isSettled = false
        if hasCalled { handler(.commit(commit)) }
      case .seen(let commit, let isBehind, let isRemoved):
        hasCalled = tell(commit, isRemoved: isRemoved)
        // The commit may be in another file already. Commits to that file wake the thread only once the file is watched.
        let isWatched = environment.fileEpoch.load(ordering: .sequentiallyConsistent) == fileEpoch
        isSettled = !isBehind && isWatched
      }
      retry = isSettled ? 1 : min(retry * 2, Self.second)
      limit = isSettled ? idle : retry
      guard events.pause(milliseconds: hasCalled ? Self.restAfterCall : Self.restAfterEvent) else { return }
    }
  }

  private func tell(_ commit: UInt64, isRemoved: Bool) -> Bool {
    let isNew = commit != last
    last = commit
    if isNew { handler(.commit(commit)) }
    let isLost = isRemoved && !isRemovalTold
    if isLost {
      isRemovalTold = true
      handler(.removed)
    }
    return isNew || isLost
  }
}
