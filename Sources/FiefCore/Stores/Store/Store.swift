import Dispatch
import Foundation
import LMDB

/// A handle of a store, with Realm's interface.
///
/// ```swift
/// let store = library.store()
/// try store.write { store.add(book, update: .modified) }
/// for book in store.objects(Book.self) { print(book.title) }
/// ```
/// You get a handle from a repository's ``StoreAccess/store()``; the methods of the repository use
/// it too. A handle can be used on any thread. If the store could not be opened, ``openingError`` contains
/// the reason, and every use of the handle fails with it.
public final class Store: Sendable {
  /// The error with which opening the store failed, or `nil` if the store is open.
  public let openingError: FiefError?
  /// The context of all objects that are read outside scopes. It refers to the store, so the store itself
  /// must not refer to it.
  package let newest: ObjectContext
  /// The types that the repository declares, or `nil` if it declares all types of the store.
  package let visible: VisibleTypes?

  /// The configuration with which the handle was opened, if a product describes stores in its own way.
  package let opening: (any Sendable)?

  /// The identity of the store and the queue of completion handlers, for a store that could not be opened;
  /// `nil` if the store was opened.
  let unopened: Unopened?

  package struct Unopened {
    let completions: CompletionLanes
    /// The queue on which the application wants handlers to be called.
    let completionQueue: DispatchQueue?
  }

  /// - Parameters:
  ///   - reporter: reports uses of a store that could not be opened.
  ///   - visible: the types that the repository declares, if they are not all types of the store.
  ///   - unopened: calls the completion handlers of a store that could not be opened.
  package init(
    _ state: Result<StoreCore, FiefError>,
    _ reporter: EventReporter? = nil,
    visible: VisibleTypes? = nil,
    unopened: Unopened? = nil
  ) {
    self.visible = visible
    self.unopened = unopened
    opening = nil
    switch state {
    case .success(let core):
      newest = ObjectContext(store: core, visible: visible)
      openingError = nil
    case .failure(let error):
      newest = ObjectContext(reporter.map(ObjectContext.Role.unstored) ?? .plain)
      openingError = error
    }
  }

  /// Creates another handle of the same store.
  ///
  /// - Parameters:
  ///   - opening: the configuration with which the handle was opened.
  ///   - reportsAssignments: whether assignments outside writes are reported, for objects that are read
  ///     through the handle.
  package init(handleOf store: Store, opening: (any Sendable)? = nil, reportsAssignments: Bool = false) {
    self.opening = opening ?? store.opening
    openingError = store.openingError
    unopened = store.unopened
    if reportsAssignments, let core = store.newest.store {
      let types = VisibleTypes(reportingAssignmentsOf: store.visible)
      visible = types
      newest = ObjectContext(store: core, visible: types)
    } else {
      visible = store.visible
      newest = store.newest
    }
  }

  package func core() throws -> StoreCore {
    guard let core = newest.store else { throw openingError ?? StoreCore.closedError("") }
    if core.isClosed { throw StoreCore.closedError(core.name) }
    return core
  }

  /// The open store, for checks in tests; `nil` if the store could not be opened.
  package var openedCore: StoreCore? { newest.store }

  /// The directory with the store's files, or `nil` if the store could not be opened.
  public var directory: String? { newest.store?.directory }

  /// Calls a closure in a write transaction, as Realm does. In the closure, the store's own `add`, `create`
  /// and `delete` belong to the transaction. If one of them fails, this method throws its error when the
  /// closure returns.
  @discardableResult
  public func write<Value>(_ body: () throws -> Value) throws -> Value {
    try write { (_: WriteTransaction) in try body() }
  }

  /// - Parameter silent: the observations that are not notified of the write.
  nonisolated(nonsending)
    package func write<Value: Sendable>(
      silent: Set<ObservationMachine.ID>,
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value
  {
    let core = try core()
    let box = Lock<Value?>(nil)
    let work = WriteWork.body(
      { [visible] transaction in
        let value = try body(transaction.seeing(visible))
        box.withLock { $0 = value }
      },
      silent: silent
    )
    _ = try await core.submit(work)
    guard let value = box.withLock({ $0 }) else { throw StoreCore.closedError(core.name) }
    return value
  }

  /// Reports a failure that no call throws.
  package func report(_ error: any Error, type: String?) {
    newest.report(error, type: type ?? "", property: nil)
  }

  /// Reports a failure that no call throws.
  package func report(_ error: any Error, of type: ObjectBase.Type) { report(error, type: type.className()) }
}
