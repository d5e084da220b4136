import Synchronization

/// Writes that are begun later, by a call that returns at once, and ended by calls of their own.
extension Store {
  /// Begins a write when those before it are done, and calls a closure in it.
  ///
  /// The store's queue is waited for first, without a thread, and the write is begun where the closure is called: it belongs
  /// to that thread. The closure ends the write; where it does not, nothing is kept.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the closure is called; nil for a thread of the store's, or
  ///     `StoreOptions/completionQueue`.
  ///   - body: not called where the write cannot begin, which is an event.
  /// - Returns: a number for ``cancelLaterWrite(_:)``; 0 where the store could not be opened, which is an event.
  package func beginHeldWriteLater(isolation: (any Actor)?, _ body: @escaping () -> Void) -> UInt32 {
    guard let core = openedCore else {
      reportMisuse(openingError ?? StoreCore.closedError(""))
      return 0
    }
    let number = core.laterWrites.add()
    leave(isolation: isolation) { [self] outcome in
      core.laterWrites.run(number) {
        do {
          _ = try outcome.get()
          try beginHeldWrite()
        } catch { return reportMisuse(error) }
        let own = core.begunWrite.load(ordering: .sequentiallyConsistent)
        body()
        // The closure may have begun another one.
        if let write = BegunWrite.current, write.core === core,
          core.begunWrite.load(ordering: .sequentiallyConsistent) == own
        {
          write.cancel()
        }
      }
    } _: { _, _ in
      LeftWrite(work: .body({ _ in }))
    }
    return number
  }

  /// Calls a closure in a write for which the caller has waited, as one that was left to the store.
  ///
  /// - Throws: as `write`.
  package func writeAfterWaiting<Value>(_ body: () throws -> Value) throws -> Value {
    try core().laterWrites.running { try write(body) }
  }

  /// Commits the write that the calling thread has begun, and has a handler called later.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the handler is called.
  ///   - onComplete: gets nil, or why nothing is kept; without it a failure is ``StoreEvent/failedWrite(store:error:)``.
  /// - Returns: a number for ``cancelLaterWrite(_:)``, for as long as the handler was not called; 0 without one.
  package func commitHeldWrite(
    isolation: (any Actor)?,
    onComplete: (((any Error)?) -> Void)?
  ) -> UInt32 {
    var failure: (any Error)?
    do { try commitHeldWrite(withoutNotifying: []) } catch { failure = error }
    guard let onComplete, let core = openedCore else {
      if let failure, let core = openedCore {
        core.emit(.failedWrite(store: core.name, error: failure))
      } else if let failure {
        reportMisuse(failure)
        onComplete?(failure)
      }
      return 0
    }
    let number = core.laterWrites.add()
    leave(isolation: isolation) { _ in
      core.laterWrites.run(number) { onComplete(failure) }
    } _: { _, _ in
      LeftWrite()
    }
    return number
  }

  /// Has a write not begun that waits for its beginning, or a handler not called that waits for its call; does nothing
  /// for any other.
  package func cancelLaterWrite(_ number: UInt32) { openedCore?.laterWrites.cancel(number) }
}
