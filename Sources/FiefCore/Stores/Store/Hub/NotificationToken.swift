/// Keeps an observation going; it ends with ``invalidate()`` or when the last reference is gone.
///
/// After ``invalidate()`` no call of the handler begins; one that is going on, or just about to begin on its thread, is not
/// waited for. A handler that is called on an actor or a serial queue, and whose token ends there too, is never called
/// after the end. It may end on any thread, and from its own handler.
public final class NotificationToken: Sendable {
  private let end: @Sendable () -> Void
  /// The store's hub and the number of the observation in it.
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
