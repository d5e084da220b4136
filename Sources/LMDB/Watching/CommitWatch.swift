import Synchronization

/// The state of a watcher from its start to its stop.
///
/// It never waits for a transaction of this process or for the map to move, because it may be stopped inside
/// a transaction.
final class CommitWatch: @unchecked Sendable {
  // SAFETY: `isStopping` and `hasEnded` are accessed only while the loop's monitor is locked. Only the loop's
  // thread accesses all other variables once it has the watch. All other state is immutable or thread-safe.

  let method: CommitWatcher.Method
  let environment: Environment
  private(set) var file: FileWatch?
  var schedule: WatchSchedule
  var isStopping = false
  var hasEnded = false

  private let path: String?
  private let handler: @Sendable (CommitWatcher.CommitEvent) -> Void
  private var last: UInt64?
  private var lastGrown: UInt64?
  private var isRemovalTold = false
  /// The number of the environment's data file that is being watched.
  private var fileEpoch: UInt32

  init(
    _ environment: Environment,
    mayUseEvents: Bool,
    _ handler: @escaping @Sendable (CommitWatcher.CommitEvent) -> Void
  ) throws(LMDBError) {
    try environment.checkUsable()
    self.environment = environment
    self.handler = handler
    // This happens before the file is watched, so that a file that is exchanged in the meantime is watched
    // again.
    fileEpoch = environment.fileEpoch.load(ordering: .sequentiallyConsistent)
    path = environment.absoluteDataPath()
    file = mayUseEvents ? path.flatMap { FileWatch($0) } : nil
    method = file == nil ? .polling : .events
    // The check comes after the start of the events, so later commits wake the thread.
    if case .seen(let commit, isBehind: false, isRemoved: _) = environment.lookAtCommits(path) {
      last = commit
    }
    // If the check here has failed, the schedule begins with another check.
    schedule = WatchSchedule(now: WatchLoop.now, hasEvents: file != nil, looksAtOnce: last == nil)
  }

  /// Closes the file. No thread may be waiting for its events.
  func close() {
    file?.close()
    file = nil
  }

  /// Compares the number of the newest commit with the last reported one, and calls the handler if they
  /// differ.
  ///
  /// - Returns: `false` if the environment is closed.
  func look() -> Bool {
    let isSettled: Bool
    let hasCalled: Bool
    let epoch = environment.fileEpoch.load(ordering: .sequentiallyConsistent)
    if epoch != fileEpoch {
      fileEpoch = epoch
      watchAgain()
    }
    switch environment.lookAtCommits(path) {
    case .ended: return false
    case .later: (isSettled, hasCalled) = (false, false)
    case .grown(let commit):
      // The new state can be read after a reader of this process has followed the growth.
      hasCalled = commit != lastGrown
      lastGrown = commit
      last = nil
      isSettled = false
      if hasCalled { handler(.commit(commit)) }
    case .seen(let commit, let isBehind, let isRemoved):
      hasCalled = tell(commit, isRemoved: isRemoved)
      // The commit may already be in another file. Commits to that file wake the thread only when the file is
      // watched.
      let isWatched = environment.fileEpoch.load(ordering: .sequentiallyConsistent) == fileEpoch
      isSettled = !isBehind && isWatched
    }
    schedule.looked(now: WatchLoop.now, isSettled: isSettled, hasCalled: hasCalled)
    return true
  }

  /// Watches the file that the path now leads to. The watch begins before the numbers are read, so a later
  /// commit wakes the thread.
  private func watchAgain() {
    guard let former = file else { return }
    former.close()
    file = path.flatMap { FileWatch($0) }
    if file == nil { schedule.losesEvents() }
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
