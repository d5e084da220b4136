import Foundation

/// The handle of a store, with Realm's own interface.
///
/// A repository's ``DatabaseConfigurable/store()`` gives it, and the repository's methods are thin over
/// it. It can be used on any thread. Where the store could not be opened, ``openingError`` says why, and
/// every use of the handle fails with it.
public final class Store: Sendable {
  /// Why the store could not be opened; nil where it is open.
  public let openingError: FiefError?
  /// The context of all objects that are read outside of scopes; it has the store. Not kept by the store
  /// itself, which it would keep alive.
  private let newest: ObjectContext

  init(_ state: Result<StoreCore, FiefError>) {
    switch state {
    case .success(let core):
      newest = core.newestContext
      openingError = nil
    case .failure(let error):
      newest = ObjectContext()
      openingError = error
    }
  }

  func core() throws -> StoreCore {
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
  ///   `nestedWrite` inside of another write of the store.
  @discardableResult
  public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
    try core().write(body)
  }

  /// Calls a closure in a write transaction, as Realm does: inside, the store's own `add`, `create` and
  /// `delete` belong to the transaction. Their failures are thrown when the closure returns.
  @discardableResult
  public func write<Value>(_ body: () throws -> Value) throws -> Value {
    try core().write { _ in try body() }
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

  /// - Parameter silent: the observations that do not hear of it.
  nonisolated(nonsending)
    func write<Value: Sendable>(
      silent: Set<ObservationMachine.ID>,
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value
  {
    let core = try core()
    let box = Lock<Value?>(nil)
    let work = WriteWork.body(
      { transaction in
        let value = try body(transaction)
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
  /// - Returns: what the closure returns; objects keep their values after it.
  public func read<Value>(_ body: (Snapshot) throws -> Value) throws -> Value {
    let core = try core()
    return try core.read { transaction in
      let snapshot = Snapshot(store: core, transaction: transaction)
      defer { snapshot.end() }
      return try body(snapshot)
    }
  }

  /// The objects of a type.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    if let openingError { return Results(failure: openingError) }
    return Results(context: newest.store?.activeWrite?.context ?? newest)
  }

  /// The object with a primary key; nil where there is none, or where it cannot be read, which the event
  /// handler of the store then hears of. ``read(_:)`` throws instead.
  public func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) -> sending Element? {
    do {
      return try newest.store?.newestObject(ofType: type, forPrimaryKey: key, context: newest)
    } catch {
      newest.report(error, type: type.className(), property: nil)
      return nil
    }
  }
}
