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
