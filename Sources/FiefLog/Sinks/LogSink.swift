import Fief

/// A place where entries of the log go.
public struct LogSink: Sendable {
  private enum Kind: Sendable {
    case standardError
    case file(LogFile)
    case ring(LogRing)
    case handler(@Sendable (LogEntry) -> Void)
  }

  private let kind: Kind

  /// Each entry as a line on standard error.
  public static let standardError = LogSink(kind: .standardError)

  /// Each entry as a line in a file, with its time in front. A file that is full gets `.1` behind its name, the one of that name `.2`.
  ///
  /// The file has the mode 0600, as those before it. Several processes may write to it: a line is written whole. A failure, as of a full
  /// disk, loses the entry, and is written to standard error once until it passes. Where a full file cannot get another name, or another
  /// process is about to give it one, entries go on in it, so that it can become larger.
  ///
  /// - Parameters:
  ///   - path: the file; its directory has to exist.
  ///   - maximumBytes: the size at which a new file begins.
  ///   - kept: the number of full files that are kept beside it.
  public static func file(_ path: String, maximumBytes: Int = 10 << 20, kept: Int = 3) -> LogSink {
    LogSink(kind: .file(LogFile(path, maximumBytes: max(1024, maximumBytes), kept: max(0, kept))))
  }

  /// The last entries, in memory; ``entries`` has them.
  ///
  /// - Parameter count: the number of entries that are kept.
  public static func ring(_ count: Int) -> LogSink { LogSink(kind: .ring(LogRing(max(1, count)))) }

  /// A closure that gets each entry, on the thread that logs it.
  ///
  /// What is logged on the thread while it runs, by itself or by what it calls, goes to standard error in place of handlers.
  ///
  /// ```swift
  /// import Logging
  /// let logger = Logger(label: "petstore")
  /// StoreLog.sinks = [.handler { logger.log(level: Logger.Level(rawValue: "\($0.level)") ?? .critical, "\($0.text)") }]
  /// ```
  public static func handler(_ handler: @escaping @Sendable (LogEntry) -> Void) -> LogSink {
    LogSink(kind: .handler(handler))
  }

  /// The entries of a ring, the oldest first; empty for the other kinds.
  public var entries: [LogEntry] { if case .ring(let ring) = kind { ring.entries } else { [] } }

  /// Writes an entry to several sinks.
  static func write(_ entry: LogEntry, to sinks: [LogSink]) {
    var isNested = false
    for sink in sinks { if !sink.write(entry) { isNested = true } }
    if isNested, !sinks.contains(where: \.isStandardError) { _ = standardError.write(entry) }
  }

  private var isStandardError: Bool { if case .standardError = kind { true } else { false } }

  /// - Returns: false where a handler was not called, since the thread is in one.
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
