import LMDB

/// Errors in the use of the library that cannot be thrown and do not concern a particular store.
package enum Misuse {
  /// A handler that returns whether it recorded an event for the current test. The first sandbox of a test
  /// installs it.
  static let testHandler = OwnedLock<StoredFunction<@Sendable (StoreEvent) -> Bool>?>(nil)

  /// Reports an error to the current test, or on standard error.
  package static func report(_ error: FiefError) {
    if let handler = testHandler.withLock({ $0 })?.function, handler(.misuse(error)) { return }
    UnhandledEvents.shared.tell(.misuse(error))
  }
}
