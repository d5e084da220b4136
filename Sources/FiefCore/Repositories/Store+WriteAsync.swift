/// Writing without waiting.
extension StoreAccess {
  /// Calls a closure later in a write transaction on the thread of the write queue, and returns immediately.
  ///
  /// Closures are called in the order of the calls, together with the saves and deletions that have a
  /// completion handler. Many of them share one commit. A closure may be called again from its beginning if
  /// the store must grow.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which `onComplete` is called; by default the caller's.
  ///   - body: receives the transaction.
  ///   - onComplete: called once, later: with nil when the changes are durable, or with the error of the
  ///     closure or a ``FiefError`` if the store is unchanged. Without a handler, a failure is reported as
  ///     the event ``StoreEvent/failedWrite(store:error:)``. Handlers are called in the order of the calls:
  ///     in the caller's isolation if it has one, otherwise on a thread of the store, or on
  ///     ``StoreOptions/completionQueue``.
  /// - Returns: a number with which `cancelAsyncWrite(_:)` of `FiefRealm` can cancel the write before it
  ///   begins.
  @discardableResult
  public func writeAsync(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> UInt32 {
    store().leaveWrite(isolation, onComplete, body)
  }
}

extension Store {
  /// Calls a closure later in a write transaction, as Realm does. In the closure, the store's own `add`,
  /// `create` and `delete` belong to the transaction, and their failures are passed to `onComplete`.
  ///
  /// - Returns: a number with which `cancelAsyncWrite(_:)` of `FiefRealm` can cancel the write before it
  ///   begins.
  @discardableResult
  public func writeAsync(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> UInt32 {
    leaveWrite(isolation, onComplete) { _ in try body() }
  }

  fileprivate func leaveWrite(
    _ isolation: (any Actor)?,
    _ onComplete: (((any Error)?) -> Void)?,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void
  ) -> UInt32 {
    let laterWrites = openedCore?.laterWrites
    let number = laterWrites?.add() ?? 0
    let handler: Completion = { [self] outcome in
      // If the store was closed in the meantime, the closure was not called.
      laterWrites?.cancel(number)
      switch outcome {
      case .success: onComplete?(nil)
      case .failure(_ as CancelledWrite): break
      case .failure(let error):
        if let onComplete { onComplete(error) } else { reportLeftWrite(error) }
      }
    }
    leave(isolation: isolation, handler) { _, _ in
      let hasBegun = Lock(false)
      return DetachedWrite(
        work: .body({ [visible] in
          // The body may be called again, but can no longer be cancelled.
          let isGoingOn = hasBegun.withLock { hasBegun in
            hasBegun = hasBegun || laterWrites?.take(number) != false
            return hasBegun
          }
          guard isGoingOn else { throw CancelledWrite() }
          try body($0.seeing(visible))
        })
      )
    }
    return number
  }

  /// Reports the failure of a write without a handler.
  private func reportLeftWrite(_ error: any Error) {
    guard let core = openedCore else { return report(error, type: nil) }
    core.emit(.failedWrite(store: core.name, error: error))
  }
}

/// The error that ends a write that was cancelled before it began.
private struct CancelledWrite: Error {}
