/// Writing without waiting.
extension Store {
  /// Calls a closure in a write transaction later, on the thread of the write queue, and returns at once.
  ///
  /// Closures are called in the order of the calls, also with the saves and deletions that have a completion handler;
  /// many share one commit. A closure may be called again from its start when the store has to grow.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which `onComplete` is called; the caller's.
  ///   - body: gets the transaction.
  ///   - onComplete: called once, later: with nil when the changes are durable, else with what the closure threw or with
  ///     a ``FiefError``, and nothing changed in the store. Without it a failure is the event ``StoreEvent/failedWrite(store:error:)``. In the order of the calls, where the caller is isolated, else
  ///     on a thread of the store's, or on ``StoreOptions/completionQueue``.
  /// - Returns: a number, by which `cancelAsyncWrite(_:)` of `FiefRealm` takes the write back before it begins.
  @discardableResult
  public func writeAsync(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> UInt32 {
    leaveWrite(isolation, onComplete, body)
  }

  /// Calls a closure in a write transaction later, as Realm does: inside, the store's own `add`, `create` and `delete`
  /// belong to the transaction, and their failures are given to `onComplete`.
  ///
  /// - Returns: a number, by which `cancelAsyncWrite(_:)` of `FiefRealm` takes the write back before it begins.
  @discardableResult
  public func writeAsync(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> UInt32 {
    leaveWrite(isolation, onComplete) { _ in try body() }
  }

  private func leaveWrite(
    _ isolation: (any Actor)?,
    _ onComplete: (((any Error)?) -> Void)?,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void
  ) -> UInt32 {
    let laterWrites = openedCore?.laterWrites
    let number = laterWrites?.add() ?? 0
    let handler: Completion = { [self] outcome in
      // Where the store has closed meanwhile, the closure was not called.
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
      return LeftWrite(
        work: .body({ [visible] in
          // It may be called again, when it cannot be cancelled any more.
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

  /// Reports the failure of a write that no handler was given for.
  private func reportLeftWrite(_ error: any Error) {
    guard let core = openedCore else { return report(error, type: nil) }
    core.emit(.failedWrite(store: core.name, error: error))
  }
}

/// What ends a write that was cancelled before it began.
private struct CancelledWrite: Error {}

extension DatabaseConfigurable {
  /// Calls a closure in a write transaction later, as the method of ``Store`` of the same name does.
  @discardableResult
  public func writeAsync(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> UInt32 {
    store().writeAsync(isolation: isolation, body, onComplete: onComplete)
  }
}
