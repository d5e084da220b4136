import LMDB

/// The snapshot of the store in which a handler is called.
///
/// It ends with the handler, or when the handler begins a write to the store: a write that must enlarge the
/// file waits until all readers have ended.
package final class DeliveryScope {
  let snapshot: Snapshot
  private let store: StoreCore
  private let transaction: ReadTransaction
  private var isOpen = true
  /// Whether all reads of the handler use the snapshot.
  let isShown: Bool

  /// - Throws: ``FiefError`` if the store cannot be read.
  init(_ store: StoreCore, isShown: Bool = false) throws {
    self.store = store
    self.isShown = isShown
    transaction = try store.environment.beginRead()
    transaction.noteOrigin("an observer")
    snapshot = Snapshot(store: store, transaction: transaction)
    // A loop of the handler may write to the store, which ends the scope.
    snapshot.keepLoopsAtEnd()
    do { try store.schemaGuard.check(transaction.id, transaction, store.tables) } catch {
      end()
      throw error
    }
  }

  /// The commit of the snapshot.
  var commit: UInt64 { transaction.id }

  package var state: ObservedState {
    ObservedState(of: store, transaction)
  }

  func end() {
    guard isOpen else { return }
    isOpen = false
    snapshot.end()
    store.environment.endRead(transaction)
  }
}
