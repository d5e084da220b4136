import Dispatch
import Foundation
import LMDB

/// The handle of a store, with Realm's own interface.
///
/// A repository's ``DatabaseConfigurable/store()`` gives it, and the repository's methods are thin over
/// it. It can be used on any thread. Where the store could not be opened, ``openingError`` says why, and
/// every use of the handle fails with it.
public final class Store: Sendable {
  /// The error that the opening of the store failed with; nil where it is open.
  public let openingError: FiefError?
  /// The context of all objects that are read outside of scopes; it has the store. Not kept by the store
  /// itself, which it would keep alive.
  package let newest: ObjectContext
  /// The types that the repository declares; nil where they are all types of the store.
  package let visible: VisibleTypes?

  /// The configuration that the handle was opened with, where a product has its own descriptions of stores.
  package let opening: (any Sendable)?

  /// The caller of completion handlers for a store that could not be opened; nil for one that was.
  let unopened: Unopened?

  package struct Unopened {
    let completions: CompletionLanes
    /// The queue on which the application wants handlers to be called.
    let completionQueue: DispatchQueue?
  }

  /// - Parameters:
  ///   - reporter: the reporter of uses of a store that could not be opened.
  ///   - visible: the types that the repository declares, where these are not all.
  ///   - unopened: the caller of its completion handlers.
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
      newest = ObjectContext(reporter: reporter)
      openingError = error
    }
  }

  /// A further handle of the same store.
  ///
  /// - Parameters:
  ///   - opening: the configuration that it was opened with.
  ///   - reportsAssignments: whether assignments outside of writes, to objects that come from the handle, are reported.
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

  /// The open store, for the checks of tests; nil where it could not be opened.
  package var openedCore: StoreCore? { newest.store }

  /// The directory with the store's files; nil where the store could not be opened.
  public var directory: String? { newest.store?.directory }

  /// Calls a closure in a write transaction on this thread, in the turn of the write queue.
  ///
  /// All changes of the closure are committed together; success means that they are durable. The
  /// closure may run again from its start when the store has to grow.
  ///
  /// - Parameter body: gets the transaction.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, with nothing changed in the store; ``FiefError`` of code
  ///   `nestedWrite` inside of another write, of this store or of another one: two threads could wait for each
  ///   other. `StoreManager.write(to:_:)` writes to several stores together.
  @discardableResult
  public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
    let core = try core()
    guard let visible else { return try core.write(body) }
    return try core.write { try body($0.seeing(visible)) }
  }

  /// Calls a closure in a write transaction, as Realm does: inside, the store's own `add`, `create` and
  /// `delete` belong to the transaction. Their failures are thrown when the closure returns.
  @discardableResult
  public func write<Value>(_ body: () throws -> Value) throws -> Value {
    try write { (_: WriteTransaction) in try body() }
  }

  /// Calls a closure in a write transaction on the thread of the write queue.
  ///
  /// Many callers share one commit. Cancelling the task removes a write that has not begun; one that has
  /// begun is completed.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value)
    async throws
    -> Value
  {
    try await write(silent: [], body)
  }

  /// Calls a closure that ends in an object in a write transaction on the thread of the write queue, and returns
  /// nothing: objects stay on the thread of the write; see ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value)
    async throws
  {
    try await write(silent: []) { _ = try body($0) }
  }

  /// - Parameter silent: the observations that are not notified of it.
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

  /// Calls a closure with one committed state of the store.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for ``StoreEvent/longReader(store:_:heldBytes:fileBytes:)``.
  ///   - line: the line of the call.
  ///   - body: gets the state.
  /// - Returns: what the closure returns; objects keep their values after it.
  /// - Throws: what the closure throws; ``FiefError`` of code `damagedStore` where a page of the file could not be
  ///   used, also where the form of reading that needed it does not throw: its answer was too short then.
  public func read<Value>(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: (Snapshot) throws -> Value
  ) throws -> Value {
    let core = try core()
    core.noteUntrackedRead()
    return try core.read { transaction in
      transaction.noteOrigin(file, line: UInt32(truncatingIfNeeded: line))
      let snapshot = Snapshot(store: core, transaction: transaction).seeing(visible)
      defer { snapshot.end() }
      return try body(snapshot)
    }
  }

  /// The object with a primary key; nil where there is none, or where it cannot be read, which is an event.
  /// ``fetchObject(ofType:forPrimaryKey:)`` throws instead.
  public func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) -> sending Element? {
    do { return try fetchObject(ofType: type, forPrimaryKey: key) } catch {
      newest.report(error, type: type.className(), property: nil)
      return nil
    }
  }

  /// The object with a primary key; nil where there is none.
  ///
  /// - Throws: ``FiefError`` if the store could not be opened or does not have the type, and if the object cannot be read;
  ///   of code `storeClosed` if the store was closed.
  public func fetchObject<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) throws
    -> sending Element?
  {
    guard let store = newest.store else { throw openingError ?? StoreCore.closedError("") }
    if let visible { try visible.check(type, in: store) }
    return try store.newestObject(ofType: type, forPrimaryKey: key, context: newest)
  }

  /// Reports a failure that nothing is thrown for.
  package func report(_ error: any Error, type: String?) {
    newest.report(error, type: type ?? "", property: nil)
  }

  /// Reports a failure that nothing is thrown for.
  package func report(_ error: any Error, of type: ObjectBase.Type) { report(error, type: type.className()) }
}
