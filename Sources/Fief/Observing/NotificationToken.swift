/// Keeps an observation going; it ends with ``invalidate()`` or when the last reference is gone.
public final class NotificationToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation. Further calls do nothing.
  public func invalidate() { end() }
}
