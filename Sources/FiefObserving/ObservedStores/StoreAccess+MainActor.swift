import FiefCore

extension StoreAccess {
  /// Calls a handler on the main actor with the changes of commits, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// token = try repository.observe(on: MainActor.shared) { [weak self] changes in self?.reload() }
  /// ```
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe(
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}
