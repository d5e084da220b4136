import Fief

/// The identifier of a scheduled write or of a scheduled call of a handler.
public typealias AsyncTransactionId = UInt32

extension Store {
  /// Schedules a write and returns at once. When the earlier writes have ended, the write begins and calls a
  /// closure.
  ///
  /// ```swift
  /// realm.beginAsyncWrite {
  ///   dog.age += 1
  ///   realm.commitAsyncWrite { error in … }
  /// }
  /// ```
  /// The closure is called once in the caller's isolation, such as the main actor. Without an isolation it is
  /// called on a thread of the store, or on `StoreOptions.completionQueue`. Writes begin in the order of the
  /// calls. The write ends when the closure calls ``commitAsyncWrite(isolation:allowGrouping:_:)``,
  /// ``commitWrite(withoutNotifying:)`` or ``cancelWrite()``. If the closure calls no such method, the write
  /// is rolled back. If the write cannot begin, the closure is not called, and `StoreEvent.misuse(_:)` is
  /// reported.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the closure is called. The default is the caller's isolation.
  ///   - body: the closure that changes the store.
  /// - Returns: the identifier for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping () -> Void
  ) -> AsyncTransactionId {
    beginHeldWriteLater(isolation: isolation, body)
  }

  /// Commits the write that the calling thread has begun, and schedules a call of a handler.
  ///
  /// When this returns, the write is durable or has failed. Only the handler is called later.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the handler is called. The default is the caller's isolation.
  ///   - allowGrouping: has no effect: each commit is durable.
  ///   - onComplete: receives `nil`, or the error that ``commitWrite(withoutNotifying:)`` throws. Without a
  ///     handler, a failure is reported as `StoreEvent.failedWrite(store:error:)`.
  /// - Returns: the identifier with which ``cancelAsyncWrite(_:)`` cancels the call of the handler.
  @discardableResult
  public func commitAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    allowGrouping: Bool = false,
    _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    commitHeldWrite(isolation: isolation, onComplete: onComplete)
  }

  /// Cancels a write of ``beginAsyncWrite(isolation:_:)`` or `writeAsync` that has not begun, or the call of
  /// a handler of ``commitAsyncWrite(isolation:allowGrouping:_:)``. A committed write stays committed.
  ///
  /// - Throws: nothing. Code for Realm requires `try` here.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws { cancelLaterWrite(id) }
}
