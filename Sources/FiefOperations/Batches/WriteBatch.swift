import FiefCore
import LMDB

/// Changes of several objects that are committed together: either all of them, or none.
///
/// ```swift
/// var batch = store.batch()
/// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10), .timestamp(\.seen))
/// try batch.set(PointTransaction(player: 7, points: -10))
/// try batch.merge(DailyCount.self, forPrimaryKey: "daily", .increment(\.count))
/// try await batch.commit()
/// ```
/// Each call encodes its values immediately, on the caller's thread. If a value does not fit its property,
/// the call throws and leaves the batch unchanged. The changes are made at the commit, in order, and a later
/// change sees the effects of earlier ones. A field operation is applied to the value in the store at that
/// time. Therefore concurrent changes of the same object by other tasks and processes are not lost, as they
/// would be by reading, changing and saving the object.
///
/// A batch uses no transaction, so you may keep it and send it to other tasks. It can be committed once; all
/// copies of a batch are the same batch.
public struct WriteBatch: Sendable {
  private let store: Store
  private var changes = BatchChanges()
  private let use = BatchUse()

  init(_ store: Store) { self.store = store }

  // MARK: Objects

  /// Adds or replaces an object, together with the new or changed objects to which it links.
  ///
  /// The batch contains a copy of the values. The object itself remains unchanged, and does not become an
  /// object of the store at the commit. A new object without a primary key is added again each time you set
  /// it or an object that links to it.
  ///
  /// - Parameters:
  ///   - object: a new object, or an object that was read from this store.
  ///   - update: determines what happens if an object with the key exists.
  /// - Throws: ``FiefError``, with the batch unchanged.
  public mutating func set(_ object: Object, update: UpdatePolicy = .all) throws {
    try use.check(store)
    let core = try store.core(for: CollectionOfOne(object))
    changes.append(try Saving.copy(of: [object], policy: update, seeing: store.visible, in: core))
  }

  /// Deletes the object with a primary key, following the delete rules of its relationships. If the object
  /// does not exist, the commit fails with `objectNotFound`.
  public mutating func delete<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws {
    try use.check(store)
    let core = try store.core(for: type)
    changes.append(try Saving.deletion(ofType: type, forPrimaryKeys: CollectionOfOne(key), in: core))
  }

  /// Deletes an object that was read from this store, following the delete rules of its relationships. If the
  /// object no longer exists, the commit fails with `objectNotFound`.
  public mutating func delete(_ object: Object) throws {
    try use.check(store)
    let core = try store.core(for: CollectionOfOne(object))
    changes.append(try Saving.deletion(of: CollectionOfOne(object), in: core))
  }

  // MARK: Fields

  /// - Parameters:
  ///   - key: returns the key, using the binding of the class.
  ///   - merges: whether the object is created if it does not exist.
  mutating func change(
    _ type: Object.Type,
    merges: Bool,
    _ operations: [FieldOperation],
    key: (ObjectBinding, StoreCore) throws -> [UInt8]
  ) throws {
    try use.check(store)
    let core = try store.core(for: type)
    let binding = try core.binding(of: type)
    let key = try key(binding, core)
    let (edit, linked) = try FieldEncoder.encoded(binding, seeing: store.visible, in: core) {
      try $0.edit(of: key, operations, merges: merges)
    }
    changes.append(linked)
    changes.append(edit)
  }

  // MARK: Committing

  /// Makes the changes, either all or none, and returns when they are durable.
  ///
  /// Batches of many tasks share a commit, but a batch that fails does not affect the others. If the task is
  /// cancelled before the batch has begun, the batch is removed. After a failure the store is unchanged and
  /// the batch may be committed again, except after `unknownOutcome`.
  ///
  /// - Parameter tokens: tokens of observations that are not notified of the changes.
  /// - Throws: ``FiefError`` of code `transactionEnded` if the batch was committed before or is being
  ///   committed; `objectNotFound` if an object to be changed or deleted is missing; `invalidValue` if an
  ///   operation does not suit the stored value or a sum does not fit; and the errors of a write.
  nonisolated(nonsending) public func commit(withoutNotifying tokens: [NotificationToken] = []) async throws {
    try use.begin(store)
    do {
      let core = try store.core()
      if !changes.isEmpty {
        let work = WriteWork.batch(changes, silent: core.hub.observations(of: tokens))
        _ = try await core.submit(work, bytes: changes.byteCount)
      }
      use.end(nil)
    } catch {
      use.end(error)
      throw error
    }
  }

  /// Makes the changes on the caller's thread, either all or none, and waits until they are durable; see
  /// ``commit(withoutNotifying:)``. In a write of the store it throws `nestedWrite`.
  public func commitAndWait(withoutNotifying tokens: [NotificationToken] = []) throws {
    try use.begin(store)
    do {
      let core = try store.core()
      if !changes.isEmpty {
        let work = WriteWork.batch(changes, silent: core.hub.observations(of: tokens))
        _ = try core.submit(work, bytes: changes.byteCount)
      }
      use.end(nil)
    } catch {
      use.end(error)
      throw error
    }
  }
}

/// Whether a batch was committed. All copies of the batch share it.
private final class BatchUse: Sendable {
  private enum State {
    case open
    case committing
    case committed
  }

  private let state = OwnedLock(State.open)

  /// - Throws: ``FiefError`` of code `transactionEnded` if the batch was committed or is being committed.
  func check(_ store: Store) throws {
    guard state.withLock({ $0 == .open }) else { throw Self.ended(store) }
  }

  /// Begins the commit.
  func begin(_ store: Store) throws {
    let isOpen = state.withLock { state in
      defer { if state == .open { state = .committing } }
      return state == .open
    }
    guard isOpen else { throw Self.ended(store) }
  }

  /// Ends the commit. After a failure the batch can be committed again, unless the outcome is unknown.
  func end(_ error: (any Error)?) {
    let isOver = error == nil || (error as? FiefError)?.code == .unknownOutcome
    state.withLock { $0 = isOver ? .committed : .open }
  }

  private static func ended(_ store: Store) -> FiefError {
    FiefError(
      .transactionEnded,
      "The batch was committed or is being committed; each commit needs a new batch.",
      store: store.openedCore?.name
    )
  }
}
