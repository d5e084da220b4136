import FiefCore
import LMDB

/// Changes of several objects that are committed together: all of them, or none.
///
/// ```swift
/// var batch = store.batch()
/// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10), .timestamp(\.seen))
/// try batch.set(PointTransaction(player: 7, points: -10))
/// try batch.merge(DailyCount.self, forPrimaryKey: "daily", .increment(\.count))
/// try await batch.commit()
/// ```
/// Each call encodes its values at once, on the caller's thread; what does not fit its property is an error there, with the
/// batch as it was before. The changes are made at the commit, in their order, and a later one sees the earlier ones. A field
/// operation is applied to the value that the store has then, so that tasks and processes that change the same object lose no
/// change of each other, as they would by reading, changing and saving it.
///
/// A batch holds no transaction: it may be kept and sent to other tasks. It is committed once; copies of it are the same batch.
public struct WriteBatch: Sendable {
  private let store: Store
  private var changes = BatchChanges()
  private let use = BatchUse()

  init(_ store: Store) { self.store = store }

  // MARK: Objects

  /// Adds or replaces an object, with the new or changed objects that it links.
  ///
  /// The batch has a copy of the values. The object stays as it is: it does not become the store's with the commit. One
  /// without a primary key that is new is added each time that it is set, or linked by an object that is.
  ///
  /// - Parameters:
  ///   - object: a new object, or one that was read from this store.
  ///   - update: the treatment of an object whose key exists.
  /// - Throws: ``FiefError``, with the batch as it was.
  public mutating func set(_ object: Object, update: UpdatePolicy = .all) throws {
    try use.check(store)
    let core = try store.core(for: CollectionOfOne(object))
    changes.append(try Saving.copy(of: [object], policy: update, seeing: store.visible, in: core))
  }

  /// Deletes the object with a primary key, following the rules of its relationships. Where there is none, the commit fails
  /// with `objectNotFound`.
  public mutating func delete<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws {
    try use.check(store)
    let core = try store.core(for: type)
    changes.append(try Saving.deletion(ofType: type, forPrimaryKeys: CollectionOfOne(key), in: core))
  }

  /// Deletes an object that was read from this store, following the rules of its relationships. Where the store has it no
  /// more, the commit fails with `objectNotFound`.
  public mutating func delete(_ object: Object) throws {
    try use.check(store)
    let core = try store.core(for: CollectionOfOne(object))
    changes.append(try Saving.deletion(of: CollectionOfOne(object), in: core))
  }

  // MARK: Fields

  /// - Parameters:
  ///   - key: gives the key by the class's binding.
  ///   - merges: whether the object is made where there is none.
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

  /// Makes the changes, all of them or none, and returns when they are durable.
  ///
  /// Batches of many tasks share a commit; one that fails fails alone. Cancelling the task removes a batch that has not begun.
  /// After a failure nothing of it is in the store, and it may be committed again, but after `unknownOutcome`.
  ///
  /// - Parameter tokens: observations of the store that are not notified of it.
  /// - Throws: ``FiefError`` of code `transactionEnded` where it was committed before or is being committed, `objectNotFound`
  ///   where an object is missing that it changes or deletes, `invalidValue` where an operation does not suit the value
  ///   that is there or the sum does not fit, and what a write throws.
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

  /// Makes the changes on the caller's thread, all of them or none, and waits until they are durable; see
  /// ``commit(withoutNotifying:)``. Inside of a write of the store it is the error `nestedWrite`.
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

/// Whether a batch was committed: one for all copies of it.
private final class BatchUse: Sendable {
  private enum State {
    case open
    case committing
    case committed
  }

  private let state = OwnedLock(State.open)

  /// - Throws: ``FiefError`` of code `transactionEnded` for a batch that was committed.
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

  /// Ends the commit; nothing was written where it has failed, but where the outcome is not known.
  func end(_ error: (any Error)?) {
    let isOver = error == nil || (error as? FiefError)?.code == .unknownOutcome
    state.withLock { $0 = isOver ? .committed : .open }
  }

  private static func ended(_ store: Store) -> FiefError {
    FiefError(
      .transactionEnded,
      "The batch was committed, or is being committed; each commit needs a batch of its own.",
      store: store.openedCore?.name
    )
  }
}
