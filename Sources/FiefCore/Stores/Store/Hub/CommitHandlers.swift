import LMDB

/// Handlers that are called for each commit of this process, on its thread, before the write returns. Tests
/// use them for checks.
package final class CommitHandlers: Sendable {
  private struct State {
    var handlers: [UInt64: @Sendable (ChangeSet) -> Void] = [:]
    var next: UInt64 = 0
  }

  private let state = OwnedLock(State())

  var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  package func add(_ handler: @escaping @Sendable (ChangeSet) -> Void) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
  }

  package func remove(_ id: UInt64) { _ = state.withLock { $0.handlers.removeValue(forKey: id) } }

  func removeAll() { state.withLock { $0.handlers = [:] } }

  func notify(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    for handler in state.withLock({ Array($0.handlers.values) }) { handler(changes) }
  }
}
