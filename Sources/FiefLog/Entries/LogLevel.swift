/// How serious an entry of the log is.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  /// Details for developers.
  case debug
  /// What happens in the normal course.
  case info
  /// Something to look at, which did no harm yet.
  case warning
  /// Something failed.
  case error
  /// The program cannot go on.
  case fatal

  /// Whether a level is less serious than another one.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

  /// The level in capitals, as lines begin with it.
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
