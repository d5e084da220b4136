import Fief
public import Foundation
import Synchronization

/// The log of the process.
///
/// ```swift
/// StoreLog.minimumLevel = .info
/// StoreLog.sinks = [.standardError, .file("/var/log/petstore.log", maximumBytes: 10 << 20)]
/// StoreLog.log(.info, "fetched \(count) users")
/// ```
/// A message is a closure that is called only for a level that is logged. To log throws nothing and never blocks on
/// anything but a sink; what a sink fails with is written to standard error once.
public enum StoreLog {
  private struct State: Sendable {
    var sinks: [LogSink] = [.standardError]
    var clock: @Sendable () -> Date = { Date() }
  }

  private static let state = Lock(State())
  /// The least level; beyond all levels for none.
  private static let threshold = Atomic(defaultLevel?.rawValue ?? none)
  private static let none = Int.max

  private static var defaultLevel: LogLevel? {
    #if DEBUG
      .debug
    #else
      nil
    #endif
  }

  /// The least serious level that is logged; nil logs nothing. ``LogLevel/debug`` where the library is built for debugging, else nil.
  public static var minimumLevel: LogLevel? {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) }
    set { threshold.store(newValue?.rawValue ?? none, ordering: .relaxed) }
  }

  /// Where entries go; standard error unless set.
  public static var sinks: [LogSink] {
    get { state.withLock { $0.sinks } }
    set { state.withLock { $0.sinks = newValue } }
  }

  /// The clock that dates entries; that of the system unless set. Traces are measured by the time that the system runs.
  public static var clock: @Sendable () -> Date {
    get { state.withLock { $0.clock } }
    set { state.withLock { $0.clock = newValue } }
  }

  /// Logs a message.
  ///
  /// - Parameters:
  ///   - level: how serious it is.
  ///   - message: the message; made only if the level is logged.
  ///   - fields: further values; made only if the level is logged.
  ///   - store: the name of the store that it is about.
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

  /// Whether entries of a level are logged.
  public static func isLogged(_ level: LogLevel) -> Bool {
    level.rawValue >= threshold.load(ordering: .relaxed)
  }

  /// Logs an entry that was made elsewhere, if its level is logged.
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
