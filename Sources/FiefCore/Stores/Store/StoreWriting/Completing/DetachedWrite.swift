import Dispatch

/// The work that a method with a completion handler submits to the write queue.
struct DetachedWrite {
  /// The work; nil if there is nothing to write.
  var work: WriteWork?
  var bytes = 0
  /// A closure that is called before the handler, on the same queue, actor or thread.
  var finish: (_ isSaved: Bool) -> Void = { _ in }
}

/// A value that is sent to a completion handler.
// SAFETY: the caller passes it on and does not use it again. It is used once, where the handler is called: in
// the caller's isolation if it has one. A caller without isolation must pass a handler that may be called on
// any thread.
private struct Transfer<Value>: @unchecked Sendable {
  let value: Value
}

extension Store {
  typealias Completion = (Result<Bool, any Error>) -> Void

  /// Submits a write to the queue and returns. The handler is called later, even if no write could be
  /// submitted.
  ///
  /// - Parameters:
  ///   - isolation: the actor to which the caller is isolated.
  ///   - handler: receives the outcome.
  ///   - prepare: encodes the changes before this method returns. Its second argument is whether the handler
  ///     is called in the caller's isolation.
  func leave(
    isolation: (any Actor)?,
    _ handler: @escaping Completion,
    _ prepare: (StoreCore, _ isCallersPlace: Bool) throws -> DetachedWrite
  ) {
    let known = openedCore
    let lanes = known?.completions ?? unopened?.completions ?? CompletionLanes()
    let queue = known == nil ? unopened?.completionQueue : known?.completionQueue
    let place = CompletionLanes.Place(queue: queue, isolation: isolation)
    let ticket = lanes.add(at: place)
    let own = StoreSandbox.current
    let sandboxes = own.isEmpty ? known?.sandboxes ?? [] : own
    let managers = ManagerBinding.current
    do {
      let core = try core()
      try core.checkNoTransaction()
      let write = try prepare(core, place.isCallers)
      let handedOver = Transfer(value: (write.finish, handler))
      let answer = { @Sendable (outcome: Result<WriteReceipt, any Error>) in
        lanes.complete(ticket) {
          let (finish, handler) = handedOver.value
          let outcome = outcome.map { _ in true }
          ManagerBinding.withCurrent(managers) {
            StoreSandbox.withCurrent(sandboxes) {
              if case .success = outcome { finish(true) } else { finish(false) }
              handler(outcome)
            }
          }
        }
      }
      guard let work = write.work else { return answer(.success(WriteReceipt())) }
      core.leave(work, bytes: write.bytes, answer: answer)
    } catch {
      let handedOver = Transfer(value: handler)
      let error = known?.described(error) ?? error
      lanes.complete(ticket) {
        ManagerBinding.withCurrent(managers) {
          StoreSandbox.withCurrent(sandboxes) { handedOver.value(.failure(error)) }
        }
      }
    }
  }
}

extension StoreCore {
  /// Commits work on this thread, before the work that waits in the queue, and even while the queue is
  /// paused.
  func performAtOnce(_ work: WriteWork) throws -> WriteReceipt {
    if isReadOnly { throw readOnlyError }
    try checkNoOtherWrite()
    // A write that needs a larger map waits for readers, and a handler of an observer on this thread is in
    // the scope of a reader.
    hub.endScopeForWriting()
    let results = try queue().withUrgentTurn { inSandboxes { execute([work.labelled]) } }
    guard let result = results.first else { throw Self.closedError(name) }
    return try result.get()
  }

  /// Submits work to the write queue and returns.
  fileprivate func leave(
    _ work: WriteWork,
    bytes: Int,
    answer: @escaping @Sendable (Result<WriteReceipt, any Error>) -> Void
  ) {
    if isReadOnly { return answer(.failure(readOnlyError)) }
    do {
      try queue().leave(work.labelled, bytes: bytes) { outcome in
        answer(outcome.mapError { self.described($0) })
      }
    } catch { answer(.failure(error)) }
  }
}
