import Fief
import Testing

@testable import FiefCore
@testable import FiefObserving

/// The changes of a store's commits, as the hub would hand them to followers.
final class FollowedCommits {
  private let store: StoreCore
  private let seen = Lock(ChangeSet())
  private let id: UInt64

  init(_ store: StoreCore) {
    self.store = store
    id = store.commitHandlers.add { [seen] changes in seen.withLock { $0.append(changes) } }
  }

  deinit { store.commitHandlers.remove(id) }

  /// The changes that were committed since the last call.
  func take() -> PendingChanges {
    seen.withLock { changes in
      defer { changes = ChangeSet() }
      return PendingChanges(changes: changes)
    }
  }

  /// Calls a closure with the newest state.
  func look<Value>(_ body: (ObservedState) throws -> Value) throws -> Value {
    try store.read { transaction in
      try body(ObservedState(tables: store.tables, transaction: transaction, memory: 1 << 20))
    }
  }

  /// The description of a query in the text form.
  func query(_ text: String, of type: String) throws -> QueryDescription {
    try QueryTextForm.parse(
      text,
      type: type,
      schema: QueryTextSchema(tables: store.tables, names: store.queryNames)
    )
  }

  func rows(_ description: QueryDescription, of type: String, watched: [QueryPath]? = nil) -> RowsFollower {
    RowsFollower(description, of: type, names: store.queryNames, watched: watched)
  }
}
