import Fief

/// A destination of log entries.
public struct LogSink: Sendable {
  private enum Kind: Sendable {
    case standardError
    case file(LogFile)
    case ring(LogRing)
    case handler(@Sendable (LogEntry) -> Void)
  }

  private let kind: Kind

  /// Writes each entry as a line to standard error.
  public static let standardError = LogSink(kind: .standardError)

  /// Returns a sink that writes each entry as a line with its time to a file. A full file is renamed with the
  /// suffix `.1`, the file that had this suffix with `.2`, and so on.
  ///
  /// The files have mode 0600. Several processes may write to a file, because each line is written as a
  /// whole. If writing fails, for example because the disk is full, the entry is lost, and the failure is
  /// reported on standard error once until it is resolved. If a full file cannot be renamed, or another
  /// process is about to rename it, entries are still appended to it, so it can exceed the limit.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Its directory must exist.
  ///   - maximumBytes: the size at which a new file is started.
  ///   - kept: the number of full files that are kept.
  public static func file(_ path: String, maximumBytes: Int = 10 << 20, kept: Int = 3) -> LogSink {
    LogSink(kind: .file(LogFile(path, maximumBytes: max(1024, maximumBytes), kept: max(0, kept))))
  }

  /// Returns a sink that keeps the last entries in memory; see ``entries``.
  ///
  /// - Parameter count: the number of entries that are kept.
  public static func ring(_ count: Int) -> LogSink { LogSink(kind: .ring(LogRing(max(1, count)))) }

  /// Returns a sink that calls a closure with each entry, on the thread that logs it.
  ///
  /// Entries that are logged on this thread while the closure runs go to standard error instead of handlers.
  ///
  /// ```swift
  /// import Logging
  /// let logger = Logger(label: "petstore")
  /// StoreLog.sinks = [
  ///   .handler { logger.log(level: Logger.Level(rawValue: "\($0.level)") ?? .critical, "\($0.text)") }
  /// ]
  /// ```
  public static func handler(_ handler: @escaping @Sendable (LogEntry) -> Void) -> LogSink {
    LogSink(kind: .handler(handler))
  }

  /// The entries of a ring, starting with the oldest one. Empty for other kinds of sinks.
  public var entries: [LogEntry] { if case .ring(let ring) = kind { ring.entries } else { [] } }

  /// Writes an entry to several sinks.
  static func write(_ entry: LogEntry, to sinks: [LogSink]) {
    var isNested = false
    for sink in sinks { if !sink.write(entry) { isNested = true } }
    if isNested, !sinks.contains(where: \.isStandardError) { _ = standardError.write(entry) }
  }

  private var isStandardError: Bool { if case .standardError = kind { true } else { false } }

  /// - Returns: `false` if a handler was not called because the thread is already in a handler.
  private func write(_ entry: LogEntry) -> Bool {
    switch kind {
    case .standardError: StandardError.write(entry.text + "\n")
    case .file(let file): file.write(entry)
    case .ring(let ring): ring.append(entry)
    case .handler(let handler): return HandlerThreads.run { handler(entry) }
    }
    return true
  }
}
