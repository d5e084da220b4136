/// A token that keeps an observation active. The observation ends with ``invalidate()``, or when the last
/// reference to the token is released.
///
/// After ``invalidate()``, no call of the handler begins. The method does not wait for a call that is running
/// or about to begin on another thread. A handler that is called on an actor or a serial queue is never
/// called after its token was invalidated on the same actor or queue. You can invalidate a token on any
/// thread, and from its own handler.
public final class NotificationToken: Sendable {
  private let end: @Sendable () -> Void
  /// The store's hub and the id of the observation.
  let observation: (hub: ObservationHub, id: ObservationMachine.ID)?

  package init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
    observation = nil
  }

  init(hub: ObservationHub, id: ObservationMachine.ID, _ end: @escaping @Sendable () -> Void) {
    self.end = end
    observation = (hub, id)
  }

  deinit { end() }

  /// Ends the observation. Further calls do nothing.
  public func invalidate() { end() }
}
