import Foundation
import LMDB

/// The snapshot of the store in which a handler is called.
///
/// It ends with the handler, or when the handler begins a write to the store: a write that must enlarge the
/// file waits until all readers have ended.
package final class DeliveryScope {
  let snapshot: Snapshot
  let store: StoreCore
  private let transaction: ReadTransaction
  private var isOpen = true
  /// Whether all reads of the handler use the snapshot.
  private let isShown: Bool
  /// The same snapshot for handles that declare other types.
  private var others: [Snapshot] = []

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

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The scope of the handler that the calling thread runs, if all reads of the handler use its snapshot.
  static var shown: DeliveryScope? {
    guard let key, let known = pthread_getspecific(key) else { return nil }
    // SAFETY: `show` stored it on this thread, and keeps it alive until the pointer is removed.
    return Unmanaged<DeliveryScope>.fromOpaque(known).takeUnretainedValue()
  }

  /// Calls a handler, whose reads all use the snapshot if the observation demands it.
  func show(_ handler: () -> Void) {
    guard isShown, let key = Self.key else { return handler() }
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
    defer {
      pthread_setspecific(key, outer)
      withExtendedLifetime(self) {}
    }
    handler()
  }

  /// Returns the snapshot for the reads of a handle; nil after the end of the scope.
  ///
  /// - Parameter visible: the types that the handle declares. Objects keep them, so a handle that declares
  ///   other types needs another snapshot.
  func snapshot(seeing visible: VisibleTypes?) -> Snapshot? {
    guard isOpen else { return nil }
    if snapshot.visible === visible { return snapshot }
    if let known = others.first(where: { $0.visible === visible }) { return known }
    let other = Snapshot(store: store, transaction: transaction).seeing(visible)
    other.keepLoopsAtEnd()
    others.append(other)
    return other
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
    for other in others { other.end() }
    others = []
    store.environment.endRead(transaction)
  }
}
