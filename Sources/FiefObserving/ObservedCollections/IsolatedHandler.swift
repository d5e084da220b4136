import FiefCore

/// A handler that is called on the actor to which its closure belongs, or on a thread of the library if it
/// belongs to no actor.
package struct IsolatedHandler<Change>: Sendable {
  package let executor: ObservationExecutor
  /// Calls the handler. The caller is on the executor.
  package let call: @Sendable (Change) -> Void

  package init(_ handler: @escaping @isolated(any) @Sendable (Change) -> Void) {
    executor = handler.isolation.map { .actor($0) } ?? .queue(nil)
    // SAFETY: the types differ only in the isolation, which the executor provides.
    call = unsafeBitCast(handler, to: (@Sendable (Change) -> Void).self)
  }
}

extension Actor {
  /// Calls the handler of an observation that is delivered on this actor.
  package nonisolated func call<Change>(
    _ handler: @Sendable (isolated Self, Change) -> Void,
    _ change: Change
  ) {
    // SAFETY: the change was created for this call on this actor, and nothing else refers to it.
    nonisolated(unsafe) let change = change
    assumeIsolated { handler($0, change) }
  }
}

extension MainActor {
  /// Calls the handler of an observation that is delivered on the main actor.
  static func call<Change>(_ handler: @MainActor (Change) -> Void, _ change: Change) {
    // SAFETY: the change was created for this call on the main actor, and nothing else refers to it.
    nonisolated(unsafe) let change = change
    MainActor.assumeIsolated { handler(change) }
  }
}
