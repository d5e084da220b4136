import Fief
public import Foundation
import Synchronization

/// The log of this process.
///
/// ```swift
/// StoreLog.minimumLevel = .info
/// StoreLog.sinks = [.standardError, .file("/var/log/petstore.log", maximumBytes: 10 << 20)]
/// StoreLog.log(.info, "fetched \(count) users")
/// ```
/// The message is a closure that is called only if its level is logged. Logging never throws and blocks only
/// on sinks. A failure of a sink is reported once on standard error.
public enum StoreLog {
  private struct State: Sendable {
    var sinks: [LogSink] = [.standardError]
    var clock: @Sendable () -> Date = { Date() }
  }

  private static let state = Lock(State())
  /// The lowest logged level, or a number above all levels to log nothing.
  private static let threshold = Atomic(defaultLevel?.rawValue ?? none)
  private static let none = Int.max

  private static var defaultLevel: LogLevel? {
    #if DEBUG
      .debug
    #else
      nil
    #endif
  }

  /// The lowest level that is logged, or `nil` to log nothing. The default is ``LogLevel/debug`` in debug
  /// builds of the library, and `nil` otherwise.
  public static var minimumLevel: LogLevel? {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) }
    set { threshold.store(newValue?.rawValue ?? none, ordering: .relaxed) }
  }

  /// The destinations of entries. The default is standard error.
  public static var sinks: [LogSink] {
    get { state.withLock { $0.sinks } }
    set { state.withLock { $0.sinks = newValue } }
  }

  /// The clock for the dates of entries. The default is the system clock. Traces are measured with a
  /// monotonic clock instead.
  public static var clock: @Sendable () -> Date {
    get { state.withLock { $0.clock } }
    set { state.withLock { $0.clock = newValue } }
  }

  /// Logs a message.
  ///
  /// - Parameters:
  ///   - level: the severity of the entry.
  ///   - message: the message, which is evaluated only if the level is logged.
  ///   - fields: further values, which are evaluated only if the level is logged.
  ///   - store: the name of the store that the message concerns.
  ///   - file: the file of the call.
  ///   - function: the function of the call.
  ///   - line: the line of the call.
  @inline(__always)
  public static func log(
    _ level: LogLevel,
    _ message: @autoclosure () -> String,
    fields: @autoclosure () -> [String: LogValue] = [:],
    store: String? = nil,
    file: String = #fileID,
    function: String = #function,
    line: UInt = #line
  ) {
    if !isLogged(level) { return }
    write(level, message(), fields(), store, file, function, line)
  }

  /// Returns whether entries of a level are logged.
  public static func isLogged(_ level: LogLevel) -> Bool {
    level.rawValue >= threshold.load(ordering: .relaxed)
  }

  /// Logs an existing entry, if its level is logged.
  public static func log(_ entry: LogEntry) {
    if !isLogged(entry.level) { return }
    LogSink.write(entry, to: sinks)
  }

  @usableFromInline
  static func write(
    _ level: LogLevel,
    _ message: String,
    _ fields: [String: LogValue],
    _ store: String?,
    _ file: String,
    _ function: String,
    _ line: UInt
  ) {
    let (sinks, clock) = state.withLock { ($0.sinks, $0.clock) }
    let entry = LogEntry(
      date: clock(),
      level: level,
      message: message,
      file: file.split(separator: "/").last.map(String.init) ?? file,
      line: line,
      function: function,
      store: store,
      label: StoreUsage.label,
      fields: fields
    )
    LogSink.write(entry, to: sinks)
  }
}
