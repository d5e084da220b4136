import LMDB

extension StoreCore {
  /// Calls `body` in a read transaction of the newest state.
  ///
  /// - Throws: ``FiefError`` of code `schemaChanged` if another process has migrated the store; any error of
  ///   `body`.
  package func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    do {
      return try environment.read { transaction in
        try schemaGuard.check(transaction.id, transaction, tables)
        return try body(transaction)
      }
    } catch {
      throw described(error)
    }
  }

  /// Returns the object with a key, or nil if it does not exist.
  package func load(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    from transaction: LMDB.Transaction,
    context: ObjectContext
  ) throws -> ObjectBase? {
    var bytes = 0
    return try load(binding, key: key, from: transaction, context: context, bytes: &bytes)
  }

  /// Returns the object with a key, or nil if it does not exist.
  ///
  /// - Parameter bytes: set to the size of the object's key and record.
  @inline(__always)
  func load(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    from transaction: LMDB.Transaction,
    context: ObjectContext,
    bytes: inout Int
  ) throws -> ObjectBase? {
    guard let records = binding.table.records else { return nil }
    guard let record = try transaction.get(records, key) else { return nil }
    bytes = key.count &+ record.count
    do { return try binding.decode(key: key, record: record, context: context) } catch {
      return try loadAgain(binding, key: key, from: transaction, context: context, after: error)
    }
  }

  /// Loads an object again whose record could not be decoded because a commit has changed one of its large
  /// `[T]`, `Set` or `[String: T]` values.
  ///
  /// Such a collection is read together with the record, but in the newest state. This method reads both in
  /// the transaction, so that the object belongs to one state.
  ///
  /// - Returns: the object in the state of the transaction, or nil if it does not exist.
  /// - Throws: `error` if it has a different cause.
  @inline(never)
  func loadAgain(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    from transaction: LMDB.Transaction,
    context: ObjectContext,
    after error: any Error
  ) throws -> ObjectBase? {
    // A transaction that records its reads retries as a whole.
    guard (error as? FiefError)?.isOfStaleCollection ?? false, context.reads == nil,
      context.currentScope == nil
    else { throw error }
    guard let records = binding.table.records, let record = try transaction.get(records, key) else {
      return nil
    }
    let scope = AccessScope(store: self, transaction: transaction)
    defer { scope.end() }
    let scoped = ObjectContext(
      store: self,
      scope: scope,
      visible: context.visible,
      isFrozen: context.isFrozen
    )
    return try binding.decode(key: key, record: record, context: scoped)
  }

  /// Returns the object with a key, or nil if it does not exist, and counts the lookup.
  package func countedLoad(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    from transaction: LMDB.Transaction,
    context: ObjectContext
  ) throws -> ObjectBase? {
    var bytes = 0
    let object = try load(binding, key: key, from: transaction, context: context, bytes: &bytes)
    if object == nil {
      counters.addMiss(in: binding.table)
    } else {
      counters.addPointRead(ofTable: binding.table.number, bytes: bytes)
    }
    return object
  }

  /// Returns the object with a primary key, or nil if it does not exist. It is read in the active write of
  /// this thread or the snapshot of its handler, or otherwise in the newest commit.
  ///
  /// - Throws: ``FiefError`` of code `storeClosed` if the store is closed. A closed store does not check the
  ///   class.
  package func newestObject<Element: Object>(
    ofType type: Element.Type,
    forPrimaryKey key: Any,
    context: ObjectContext
  ) throws -> sending Element? {
    if isClosed { throw Self.closedError(name) }
    let binding = try keptBinding(of: type)
    let key = try binding._withUnsafeGuaranteedRef { try $0.key(fromPrimaryKey: key, store: name) }
    return try key.withUnsafeBytes { key in
      try binding._withUnsafeGuaranteedRef { binding in
        if let scope = readingScope(seeing: context.visible) {
          return try scope.object(of: binding, key: key)
        }
        noteUntrackedRead(of: type)
        return try read { try countedLoad(binding, key: key, from: $0, context: context) }
      }
    }?.cast(to: type)
  }

  package func contains(_ table: Table, key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws
    -> Bool
  {
    guard let records = table.records else { return false }
    return try transaction.get(records, key) != nil
  }

  package func count(_ table: Table, in transaction: LMDB.Transaction) throws -> Int {
    guard let records = table.records else { return 0 }
    return try transaction.count(records)
  }

  package func described(_ error: any Error, type: String? = nil, key: [UInt8]? = nil) -> any Error {
    let key = key.map { key in type.flatMap { tables[$0] }?.shown(key) ?? key }
    return FiefError.described(error, store: name, type: type, key: key)
  }
}

extension StoreCore {
  /// Returns the context in which the inverses of an object are looked up.
  ///
  /// If the object's context has no scope, inverses are looked up in the active write of this thread.
  func inverseContext(of context: ObjectContext) -> ObjectContext {
    if context.currentScope != nil { return context }
    return activeWrite?.context ?? context.lasting
  }
}
