import Fief

/// A receiver of texts about the events of stores, by the name that Realm uses.
///
/// ```swift
/// Logger.shared = Logger(level: .warn) { level, message in print(level, message) }
/// ```
/// A store writes to ``shared`` if its configuration has no `eventHandler`, and if you assigned a logger, or
/// a level to the default logger, before you opened the store. Otherwise failures go to standard error. There
/// are no texts about single reads and writes: `trace` and `all` give the same texts as `debug`. For codes
/// and places use `configuration.eventHandler`.
public final class Logger: Sendable {
  private static let standard = Logger(level: .info) { level, message in
    StandardError.write("fief: \(level): \(message)\n")
  }
  private static let used = Lock(standard)

  private let threshold: Lock<LogLevel>
  private let function: @Sendable (LogLevel, String) -> Void

  /// The logger of all stores whose configuration has no `eventHandler`.
  ///
  /// The default writes to standard error.
  public static var shared: Logger {
    get { used.withLock { $0 } }
    set { used.withLock { $0 = newValue } }
  }

  /// The least severe level whose texts are passed on.
  public var level: LogLevel {
    get { threshold.withLock { $0 } }
    set { threshold.withLock { $0 = newValue } }
  }

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - level: the least severe level whose texts are passed on.
  ///   - logFunction: is called with each text, on any thread.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    threshold = Lock(level)
    function = logFunction
  }

  /// The event handler of a store that is opened now; nil for the default logger with its default level.
  static var eventHandler: (@Sendable (StoreEvent) -> Void)? {
    let logger = shared
    if logger === standard, logger.level == .info { return nil }
    return { shared.log($0) }
  }

  private func log(_ event: StoreEvent) {
    let level = LogLevel(event)
    guard level <= self.level else { return }
    function(level, event.failure.map { "\(event.store): \($0)" } ?? "\(event)")
  }
}

/// The severity of a text, by the names that Realm uses.
public enum LogLevel: Int, Sendable {
  /// A level of Realm, from no texts to all.
  case off, fatal, error, warn, info, detail, debug, trace, all

  init(_ event: StoreEvent) {
    self =
      switch event {
      case .misuse, .indexOutOfBounds, .longReader, .slowQuery, .slowCommit, .droppedValues,
        .unindexedTreeQuery:
        .warn
      case .migrating: .debug
      default: event.isFailure ? .error : .info
      }
  }

  fileprivate static func <= (level: LogLevel, other: LogLevel) -> Bool { level.rawValue <= other.rawValue }
}
