#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Waits until something happens to a file, some time has passed, or another thread ends the waiting.
final class FileEvents: @unchecked Sendable {
  // SAFETY: the descriptors are those of `init` until `close`, which its owner calls once, when no thread waits or
  // wakes any more.

  /// The descriptor on which the system reports events; negative where it does not.
  private var watching: FileWatch?
  private var wakeOut: Int32 = -1
  private var wakeIn: Int32 = -1

  /// - Parameters:
  ///   - file: the file; nil for none, so that only time passes.
  ///   - store: the store that errors name.
  /// - Throws: `systemCall` where there is no descriptor left.
  init(of file: String?, store: String) throws(LMDBError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw LMDBError.system("pipe", path: store) }
    (wakeOut, wakeIn) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    watching = file.flatMap { FileWatch($0) }
  }

  /// Watches the file that has a path now, in place of the one before; false where the system does
  /// not.
  func watchAgain(_ file: String?) -> Bool {
    guard let watching else { return true }
    watching.close()
    self.watching = file.flatMap { FileWatch($0) }
    return isWatching
  }

  /// Whether the system reports events of the file.
  var isWatching: Bool { watching != nil }

  /// Waits for an event, no longer than so many milliseconds unless they are negative.
  ///
  /// - Returns: false when the waiting was ended, from then on for ever.
  func waitForEvent(milliseconds: Int32) -> Bool {
    var entries = [pollfd(fd: wakeOut, events: Int16(POLLIN), revents: 0)]
    if let watching { entries.append(pollfd(fd: watching.descriptor, events: Int16(POLLIN), revents: 0)) }
    // A signal or an error ends the waiting early, which costs only one more check.
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
    guard entries[0].revents == 0 else { return false }
    if entries.count > 1, entries[1].revents != 0 { watching?.drain() }
    return true
  }

  /// Waits, without regard to events; false when the waiting was ended.
  func pause(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: wakeOut, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
    return entry.revents == 0
  }

  /// Ends all waiting.
  func wake() {
    var byte: UInt8 = 0
    systemWrite(wakeIn, &byte, 1)
  }

  func close() {
    watching?.close()
    watching = nil
    if wakeOut >= 0 { systemClose(wakeOut) }
    if wakeIn >= 0 { systemClose(wakeIn) }
    (wakeOut, wakeIn) = (-1, -1)
  }
}
