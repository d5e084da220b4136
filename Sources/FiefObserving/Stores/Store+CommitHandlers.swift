import FiefCore

extension Store {
  /// Calls a handler in the middle of each commit of this process, on its thread: for checks of tests, which may not
  /// miss a change that another one undoes.
  package func onCommit(_ handler: @escaping @Sendable (ChangeSet) -> Void) throws -> NotificationToken {
    let handlers = try core().commitHandlers
    let id = handlers.add(handler)
    return NotificationToken { handlers.remove(id) }
  }

  /// Waits until the observers have been notified of every commit made before.
  package func waitUntilDelivered() throws { try core().hub.waitUntilDelivered() }
}
