import Fief

// Realm declarations that Fief does not have. Each message contains the code to write instead.

extension Store {
  /// Not available: there is no synchronization.
  @available(
    *,
    unavailable,
    message: "there is no synchronization with a server: remove downloadBeforeOpen"
  )
  public enum OpenBehavior: Sendable {
    /// Not available.
    case never, once, always
  }

  /// Not available: there is no synchronization.
  @available(
    *,
    unavailable,
    message: "there is no synchronization with a server: remove downloadBeforeOpen"
  )
  public convenience init(
    configuration: Configuration = .defaultConfiguration,
    downloadBeforeOpen: OpenBehavior
  ) async throws { try self.init(configuration: configuration) }

  /// Not available: there is no synchronization.
  @available(
    *,
    unavailable,
    message: "there is no synchronization with a server: remove downloadBeforeOpen"
  )
  public convenience init(
    configuration: Configuration = .defaultConfiguration,
    actor: any Actor,
    downloadBeforeOpen: OpenBehavior
  ) async throws { try self.init(configuration: configuration) }

  /// Not available: an embedded object is part of its owner.
  @available(
    *,
    unavailable,
    message: "assign nil to the property of the embedded object, or remove it from its list"
  )
  public func delete(_ object: EmbeddedObject) {}
}

/// Not available: a store reports events.
@available(
  *,
  unavailable,
  message: "set configuration.eventHandler = { event in }; without it failures go to standard error"
)
public struct Logger: Sendable {
  /// Not available.
  public static var shared: Logger {
    get { Logger(level: .off) }
    set {}
  }
  /// Not available.
  public var level: LogLevel {
    get { .off }
    set {}
  }
  /// Not available.
  public init(level: LogLevel, logFunction: (@Sendable (LogLevel, String) -> Void)? = nil) {}
  /// Not available.
  public static func setLogLevel(_ level: LogLevel) {}
}

/// Not available: Fief has no log levels. A store reports events instead.
@available(
  *,
  unavailable,
  message: "set configuration.eventHandler = { event in }; without it failures go to standard error"
)
public enum LogLevel: Sendable {
  /// Not available.
  case off, fatal, error, warn, info, detail, debug, trace, all
}
