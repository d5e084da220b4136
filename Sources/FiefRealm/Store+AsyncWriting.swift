import Fief

/// The identifier of a write that will begin later, or of a handler that will be called later.
public typealias AsyncTransactionId = UInt32

extension Store {
  /// Begins a write when those before it are done, calls a closure in it, and returns at once.
  ///
  /// ```swift
  /// realm.beginAsyncWrite {
  ///   dog.age += 1
  ///   realm.commitAsyncWrite { error in … }
  /// }
  /// ```
  /// The closure is called once, where the caller is isolated: on the main actor for a caller there. For a caller without
  /// isolation it is called on a thread of the store's, or on `StoreOptions.completionQueue`. Writes are begun in the order of
  /// the calls. The write ends where the closure calls ``commitAsyncWrite(isolation:allowGrouping:_:)``,
  /// ``commitWrite(withoutNotifying:)`` or ``cancelWrite()``; where it calls none of them, nothing is kept. Where the write
  /// cannot begin the closure is not called, which is `StoreEvent.misuse(_:)`.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the closure is called; the caller's.
  ///   - body: the closure that does the write.
  /// - Returns: the identifier for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping () -> Void
  ) -> AsyncTransactionId {
    beginHeldWriteLater(isolation: isolation, body)
  }

  /// Commits the write that the calling thread has begun, and has a handler called later.
  ///
  /// The write is durable or has failed when this returns: only the call of the handler comes later.
  ///
  /// - Parameters:
  ///   - isolation: the isolation in which the handler is called; the caller's.
  ///   - allowGrouping: has no effect: each commit is durable.
  ///   - onComplete: gets nil, or why nothing is kept: as ``commitWrite(withoutNotifying:)`` throws it. Without it a failure is
  ///     `StoreEvent.failedWrite(store:error:)`.
  /// - Returns: the identifier for ``cancelAsyncWrite(_:)``, so that the handler is not called.
  @discardableResult
  public func commitAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    allowGrouping: Bool = false,
    _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    commitHeldWrite(isolation: isolation, onComplete: onComplete)
  }

  /// Has a closure of ``beginAsyncWrite(isolation:_:)`` or of `writeAsync`, with its handler, or a handler of
  /// ``commitAsyncWrite(isolation:allowGrouping:_:)`` not called that was not called yet. A write that was committed stays so.
  ///
  /// - Throws: nothing; code written for Realm has a `try` here.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws { cancelLaterWrite(id) }
}
