import FiefCore

extension Store {
  /// Calls a handler during each commit of this process, on the committing thread. It is meant for checks in
  /// tests that must not miss a change even if a later commit undoes it.
  package func onCommit(_ handler: @escaping @Sendable (ChangeSet) -> Void) throws -> NotificationToken {
    let handlers = try core().commitHandlers
    let id = handlers.add(handler)
    return NotificationToken { handlers.remove(id) }
  }

  /// Waits until all commits made before the call have been delivered to the observers.
  package func waitUntilDelivered() throws { try core().hub.waitUntilDelivered() }
}
