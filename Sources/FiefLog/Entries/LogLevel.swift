/// The severity of a log entry.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  /// Details for developers.
  case debug
  /// Normal events.
  case info
  /// A problem that has caused no harm yet.
  case warning
  /// Something failed.
  case error
  /// The program cannot continue.
  case fatal

  /// Returns whether a level is less severe than another one.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

  /// The level in capital letters, as it appears at the beginning of a line.
  public var name: String {
    switch self {
    case .debug: "DEBUG"
    case .info: "INFO"
    case .warning: "WARNING"
    case .error: "ERROR"
    case .fatal: "FATAL"
    }
  }
}
