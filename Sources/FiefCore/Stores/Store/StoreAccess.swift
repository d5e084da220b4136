import LMDB

/// The access to a store: its handle, a ``Store``, or a repository, a ``DatabaseConfigurable``.
///
/// ```swift
/// try pets.write { transaction in
///   let dog = try transaction.object(ofType: Dog.self, forPrimaryKey: 7)
///   dog?.age += 1
/// }
/// ```
/// Both have the methods of this protocol. A repository opens its store first if necessary.
public protocol StoreAccess {
  /// Returns the handle of the store. If the store could not be opened, the handle carries the error.
  func store() -> Store
}

extension Store: StoreAccess {
  /// Returns the handle itself.
  public func store() -> Store { self }
}

extension StoreAccess {
  // MARK: Reading

  /// Returns the object with a primary key, or `nil` if it does not exist.
  ///
  /// If the object cannot be read, the failure is reported as an event and the result is `nil`;
  /// ``fetchObject(ofType:forPrimaryKey:)`` throws instead.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key. For a compound key, pass an array of its parts.
  public func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) -> sending Element? {
    let store = store()
    do { return try store.newestObject(ofType: type, forPrimaryKey: key) } catch {
      store.newest.report(error, type: type.className(), property: nil)
      return nil
    }
  }

  /// Returns the object with a primary key, or `nil` if it does not exist.
  ///
  /// - Throws: ``FiefError`` if the store could not be opened or does not have the type, and if the object
  ///   cannot be read; of code `storeClosed` if the store was closed.
  public func fetchObject<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) throws
    -> sending Element?
  {
    try store().newestObject(ofType: type, forPrimaryKey: key)
  }

  /// Calls a closure with one committed state of the store.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for ``StoreEvent/longReader(store:_:heldBytes:fileBytes:)``.
  ///   - line: the line of the call.
  ///   - body: receives the state.
  /// - Returns: the result of the closure. Objects keep their values after it.
  /// - Throws: any error of the closure; ``FiefError`` of code `damagedStore` if a page of the file could not
  ///   be used. This includes reads that do not throw themselves: their results were incomplete.
  public func read<Value>(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: (Snapshot) throws -> Value
  ) throws -> Value {
    let store = store()
    let core = try store.core()
    core.noteUntrackedRead()
    return try core.read { transaction in
      transaction.noteOrigin(file, line: UInt32(truncatingIfNeeded: line))
      let snapshot = Snapshot(store: core, transaction: transaction).seeing(store.visible)
      defer { snapshot.end() }
      return try body(snapshot)
    }
  }

  // MARK: Writing

  /// Calls a closure in a write transaction on the calling thread, when its turn in the write queue comes.
  ///
  /// All changes of the closure are committed together. If this method returns without an error, they are
  /// durable. If the store has to grow, the closure may run again from its start.
  ///
  /// - Parameter body: receives the transaction.
  /// - Returns: the result of the closure.
  /// - Throws: any error of the closure; the store is then unchanged. ``FiefError`` of code `nestedWrite`
  ///   inside of another write, of this store or of another one, because two threads could wait for each
  ///   other. `StoreManager.write(to:_:)` writes to several stores together.
  @discardableResult
  public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
    let store = store()
    let core = try store.core()
    guard let visible = store.visible else { return try core.write(body) }
    return try core.write { try body($0.seeing(visible)) }
  }

  /// Calls a closure in a write transaction on the thread of the write queue.
  ///
  /// Many callers share one commit. Cancelling the task removes a write that has not begun; a write that has
  /// begun is completed.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value)
    async throws
    -> Value
  {
    try await store().write(silent: [], body)
  }

  /// Calls a closure that returns an object in a write transaction on the thread of the write queue. The
  /// object is not returned.
  ///
  /// ```swift
  /// try await repository.write { transaction in try transaction.create(Dog.self, value: ["name": "Lulu"]) }
  /// ```
  /// Objects stay on the thread of the write. To pass a value to the task, return a `Sendable` value; see
  /// ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value)
    async throws
  {
    try await store().write(silent: []) { _ = try body($0) }
  }
}

extension Store {
  fileprivate func newestObject<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) throws
    -> sending Element?
  {
    guard let store = newest.store else { throw openingError ?? StoreCore.closedError("") }
    if let visible { try visible.check(type, in: store) }
    return try store.newestObject(ofType: type, forPrimaryKey: key, context: newest)
  }
}
