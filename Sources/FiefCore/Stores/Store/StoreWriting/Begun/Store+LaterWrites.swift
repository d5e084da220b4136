import Synchronization

/// Writes that are requested by a call that returns immediately, begin later, and end with a separate call.
extension Store {
  /// Begins a write when the earlier writes are done, and calls a closure in it.
  ///
  /// No thread waits for the turn in the store's queue. The write begins in the isolation or on the thread in
  /// which the closure is called, and belongs to that thread. The closure must end the write; otherwise its
  /// changes are discarded.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the closure is called; nil for `StoreOptions/completionQueue`, or
  ///     a thread of the store.
  ///   - body: the closure. If the write cannot begin, the closure is not called and the store reports an
  ///     event.
  /// - Returns: a number for ``cancelLaterWrite(_:)``; 0 if the store could not be opened. This failure is
  ///   reported as an event.
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
        // The closure may have begun another write.
        if let write = BegunWrite.current, write.core === core,
          core.begunWrite.load(ordering: .sequentiallyConsistent) == own
        {
          write.cancel()
        }
      }
    } _: { _, _ in
      DetachedWrite(work: .body({ _ in }))
    }
    return number
  }

  /// Calls a closure in a write for which the caller has already waited. It counts as a later write while it
  /// runs.
  ///
  /// - Throws: the errors of `write`.
  package func writeAfterWaiting<Value>(_ body: () throws -> Value) throws -> Value {
    try core().laterWrites.running { try write(body) }
  }

  /// Commits the write that the calling thread has begun, and calls a handler later.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the handler is called.
  ///   - onComplete: receives nil, or the reason why nothing was committed. Without a handler, a failure is
  ///     reported as ``StoreEvent/failedWrite(store:error:)``.
  /// - Returns: a number for ``cancelLaterWrite(_:)``, valid until the handler is called; 0 without a
  ///   handler.
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
      DetachedWrite()
    }
    return number
  }

  /// Prevents a waiting write from beginning, or a waiting handler from being called. Does nothing for any
  /// other number.
  package func cancelLaterWrite(_ number: UInt32) { openedCore?.laterWrites.cancel(number) }
}
