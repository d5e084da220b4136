import LMDB

extension Results {
  /// Calls `body` with the transaction of the scope in which the results were created, or with a new read
  /// transaction.
  package func withTransaction<Value>(
    _ body: (StoreCore, LMDB.Transaction, WriteTransaction?) throws -> Value
  ) throws -> Value {
    if let failure { throw failure }
    if frozen != nil { throw frozenQueryError }
    guard let store = context.store else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    if let scope = context.readingScope {
      try scope.prepareForReading()
      do { return try body(store, try scope.liveTransaction(), scope as? WriteTransaction) } catch {
        throw store.described(error, type: Element.className())
      }
    }
    if context.reads == nil { store.noteUntrackedRead(of: elementType) }
    return try store.read { transaction in
      try context.reads?.willReadAnything(in: transaction)
      return try body(store, transaction, nil)
    }
  }

  /// Calls `body` with the environment for running queries in a transaction.
  @inline(__always)
  func withRunning<Value>(_ body: (QueryRunning) throws -> Value) throws -> Value {
    try withTransaction { store, transaction, scope in
      let running = try QueryRunning(elementType, store, transaction, scope, context)
      try checkCursors(in: store)
      try running.prefetch(prefetches)
      running.notePass()
      defer { running.finish() }
      return try body(running)
    }
  }

  /// Calls `body` with a prepared query.
  ///
  /// - Parameters:
  ///   - description: the query to run instead of the results' own.
  ///   - purpose: the purpose of the rows.
  ///   - body: the closure that uses the query.
  func withQuery<Value>(
    _ description: QueryDescription? = nil,
    for purpose: QueryPurpose = .rows,
    _ body: (PreparedQuery, QueryRunning) throws -> Value
  ) throws -> Value {
    try withRunning { running in
      if let description { try running.check(self.description, besides: description) }
      guard let description else {
        return try body(try running.prepare(self.description, for: purpose), running)
      }
      return try body(try running.prepare(description, for: purpose), running)
    }
  }

  /// Calls `body` with each row of the results, in their order, until it returns false.
  @inline(__always)
  package func forEachRow(
    _ description: QueryDescription? = nil,
    for purpose: QueryPurpose = .rows,
    _ body: (QueryRow, QueryRunning) throws -> Bool
  ) throws {
    try withQuery(description, for: purpose) { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      try stream.read(in: running.environment) { try body($0, running) }
    }
  }

  /// Calls a closure with each object. All objects are read in one transaction.
  ///
  /// In a `write { }` the closure may add, change and delete objects. It receives the objects that the
  /// results had at the time of the call, except objects that were deleted before their turn.
  ///
  /// - Throws: the error of the closure, and ``FiefError`` for a closed store, a damaged record, or a query
  ///   that cannot be answered, such as a query with an unknown property.
  public func forEachObject(_ body: (Element) throws -> Void) throws {
    if let rows = try frozenRows() {
      for index in 0..<rows.count { if let object = try object(at: index, of: rows) { try body(object) } }
      return
    }
    if let scope = context.readingScope as? WriteTransaction {
      _ = try scope.liveTransaction()
      return try forEachLiveObject(body)
    }
    if !prefetches.isEmpty { return try forEachBatch { try $0.forEach(body) } }
    try forEachRow { row, running in
      try body(try running.object(row, as: Element.self))
      return true
    }
  }

  /// Calls a closure with batches of objects whose relationships are already prefetched.
  private func forEachBatch(_ body: ([Element]) throws -> Void) throws {
    try withQuery { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      var batch: [Element] = []
      func finish() throws {
        try running.prefetcher?.prefetch(batch)
        let objects = batch
        batch = []
        try body(objects)
      }
      try stream.read(in: running.environment) { row in
        batch.append(try running.object(row, as: Element.self))
        if batch.count == Prefetcher.batchSize { try finish() }
        return true
      }
      try finish()
    }
  }

  /// Iterates in batches because the closure may change the store under an open cursor.
  private func forEachLiveObject(_ body: (Element) throws -> Void) throws {
    let batches = LiveBatches(self)
    while let object = try batches.next() { try body(object) }
  }

  /// Returns all objects, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered, such
  ///   as a query with an unknown property.
  public func all() throws -> [Element] {
    if frozen != nil || context.readingScope is WriteTransaction {
      var objects: [Element] = []
      try forEachObject { objects.append($0) }
      return objects
    }
    return try withQuery { query, running in try running.objects(of: query).cast(to: Element.self) }
  }
}
