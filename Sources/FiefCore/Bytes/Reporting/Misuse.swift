import LMDB

/// Uses of the library that are errors where nothing can be thrown and no store is near.
package enum Misuse {
  /// Takes an event for the test that it happens in, and says whether it did; the first sandbox of a test puts it here.
  static let testHandler = OwnedLock<StoredFunction<@Sendable (StoreEvent) -> Bool>?>(nil)

  /// Reports one to the test that it happens in, or on standard error.
  package static func report(_ error: FiefError) {
    if let handler = testHandler.withLock({ $0 })?.function, handler(.misuse(error)) { return }
    UnhandledEvents.shared.tell(.misuse(error))
  }
}
