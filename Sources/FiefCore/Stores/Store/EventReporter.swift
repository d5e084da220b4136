/// The receiver of a store's events. It passes them to the handler or to standard error, and to the test in
/// which the store is opened.
package final class EventReporter: Sendable {
  private let store: String
  private let handler: (@Sendable (StoreEvent) -> Void)?
  private let output: StoreOptions.EventOutput
  private let sandbox: StoreSandbox?
  /// Whether the reporter belongs to a store that could not be opened.
  private let isUnopened: Bool

  /// - Parameters:
  ///   - store: the name of the store.
  ///   - options: determine where events go.
  ///   - sandbox: the sandbox of the test. The test fails if it does not expect an event.
  ///   - isUnopened: whether the store could not be opened.
  init(store: String, options: StoreOptions, sandbox: StoreSandbox?, isUnopened: Bool = false) {
    self.isUnopened = isUnopened
    self.store = store
    handler = options.eventHandler
    output = options.eventOutput
    self.sandbox = sandbox
  }

  /// Sends an event to its receivers. Called outside of the library's locks.
  func send(_ event: StoreEvent) {
    handler?(event)
    guard event.isWorthTelling else { return }
    if event.isFailure, let sandbox, sandbox.note(event) { return }
    if handler == nil, output == .standardError { UnhandledEvents.shared.tell(event) }
  }

  /// Reports a failed use of the store that returned an empty result.
  func report(_ error: any Error, type: String?, property: String?) {
    send(
      isUnopened
        ? .failedOpening(store: store, error: error)
        : .failedRead(store: store, type: type, property: property, error: error)
    )
  }
}
