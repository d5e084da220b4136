#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The thread that waits for writes to the files of any number of watchers. It ends with the last watcher.
final class WatchLoop: @unchecked Sendable {
  // SAFETY: a thread accesses the variables only while it holds the monitor. The exception is the ends of the
  // pipe: the loop's thread uses them without the monitor, and they change only while there is no such
  // thread.

  /// The loop of watchers whose handlers return immediately.
  static var shared: WatchLoop { ofProcess.current }
  private static let ofProcess = PerProcess { WatchLoop(threadName: "fief.others") }

  private let threadName: String
  private let monitor = Monitor()
  private var watches: [CommitWatch] = []
  private var isRunning = false
  private var thread: UInt = 0
  private var wakeOut: Int32 = -1
  private var wakeIn: Int32 = -1
  /// The process to which the thread belongs.
  private var generation = ForkGuard.currentGeneration

  init(threadName: String) { self.threadName = threadName }

  /// The time of the monotonic clock, in milliseconds.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Begins to watch.
  ///
  /// - Throws: `systemCall` if the system has no thread or descriptor left. The watch is then closed.
  func add(_ watch: CommitWatch) throws(LMDBError) {
    monitor.lock()
    defer { monitor.unlock() }
    if generation != ForkGuard.currentGeneration {
      // The thread belongs to the parent of this process.
      generation = ForkGuard.currentGeneration
      for watch in watches { watch.close() }
      watches = []
      closePipe()
      isRunning = false
    }
    if !isRunning {
      do throws(LMDBError) { try start(watch.environment.directory) } catch {
        watch.close()
        throw error
      }
    }
    watches.append(watch)
    wake()
  }

  /// Ends watching without waiting for the thread.
  func end(_ watch: CommitWatch) {
    // In a forked process, a thread of the parent may hold the monitor.
    guard watch.environment.isSameProcess else { return }
    monitor.lock()
    askToEnd(watch)
    monitor.unlock()
  }

  /// Ends watching. The handler does not run after this method returns. A call on the loop's thread does not
  /// wait.
  func stop(_ watch: CommitWatch) {
    guard watch.environment.isSameProcess else { return }
    monitor.lock()
    askToEnd(watch)
    if thread != currentThread() {
      while !watch.hasEnded { monitor.wait() }
    }
    monitor.unlock()
  }

  private func askToEnd(_ watch: CommitWatch) {
    guard !watch.isStopping else { return }
    watch.isStopping = true
    if isRunning, !watch.hasEnded { wake() }
  }

  // MARK: With the monitor locked

  private func start(_ directory: String) throws(LMDBError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw LMDBError.system("pipe", path: directory) }
    (wakeOut, wakeIn) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    guard DetachedThread.start(name: threadName, { self.run() }) else {
      closePipe()
      throw LMDBError(.systemCall, "The system has no thread left.", path: directory)
    }
    isRunning = true
  }

  private func wake() {
    var byte: UInt8 = 0
    systemWrite(wakeIn, &byte, 1)
  }

  private func closePipe() {
    if wakeOut >= 0 { systemClose(wakeOut) }
    if wakeIn >= 0 { systemClose(wakeIn) }
    (wakeOut, wakeIn) = (-1, -1)
  }

  /// - Returns: The watches that continue, or `nil` if the thread ends; and the watches that have ended.
  private func remaining() -> (watches: [CommitWatch]?, ended: [CommitWatch]) {
    for watch in watches where watch.isStopping {
      watch.close()
      watch.hasEnded = true
    }
    let ended = watches.filter(\.hasEnded)
    watches.removeAll { $0.hasEnded }
    monitor.broadcast()
    if !watches.isEmpty { return (watches, ended) }
    isRunning = false
    thread = 0
    closePipe()
    return (nil, ended)
  }

  // MARK: On the thread

  private func run() {
    monitor.lock()
    thread = currentThread()
    while true {
      let (watches, ended) = remaining()
      monitor.unlock()
      // The objects that the handlers hold are released here, outside the monitor.
      withExtendedLifetime(ended) {}
      guard let watches else { return }
      wait(for: watches)
      monitor.lock()
    }
  }

  /// Waits for the next event or time, and checks the stores that are due.
  private func wait(for watches: [CommitWatch]) {
    var entries = [pollfd(fd: wakeOut, events: Int16(POLLIN), revents: 0)]
    // `poll` ignores a negative descriptor.
    entries += watches.map {
      pollfd(fd: $0.schedule.listens ? $0.file?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0)
    }
    let time = watches.compactMap(\.schedule.time).min()
    let limit = time.map { Int32(clamping: max(0, $0 - Self.now)) } ?? -1
    // A signal or an error ends the wait early, which costs only one more check.
    _ = poll(&entries, nfds_t(entries.count), limit)
    if entries[0].revents != 0 { drainPipe() }
    let now = Self.now
    for (watch, entry) in zip(watches, entries.dropFirst()) {
      guard watch.schedule.isDue(now: now, hasEvent: entry.revents != 0), !isStopping(watch) else { continue }
      if entry.revents != 0 { watch.file?.drain() }
      if !watch.look() { end(watch) }
    }
  }

  private func isStopping(_ watch: CommitWatch) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    return watch.isStopping
  }

  private func drainPipe() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      // SAFETY: the system writes at most `buffer.count` bytes into the buffer.
      while read(wakeOut, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
