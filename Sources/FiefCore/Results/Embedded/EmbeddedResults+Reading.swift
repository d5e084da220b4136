import LMDB

/// An embedded object that a query found.
struct EmbeddedRow {
  /// The position in the collection.
  let place: Int
  let record: [UInt8]
}

extension EmbeddedResults {
  /// Calls `body` with a prepared query.
  private func withQuery<Value>(_ body: (PreparedQuery, QueryRunning) throws -> Value) throws -> Value {
    if let failure { throw failure }
    guard let store = context.store, let members else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    var description = description
    description.members = members
    func run(_ transaction: LMDB.Transaction) throws -> Value {
      do {
        let running = try QueryRunning(Element.self, store, transaction, nil, context)
        return try body(try running.prepare(description), running)
      } catch { throw store.described(error, type: Element.className()) }
    }
    if let scope = context.readingScope {
      try scope.prepareForReading()
      return try run(try scope.liveTransaction())
    }
    if context.reads == nil { store.noteUntrackedRead(of: Element.self) }
    return try store.read { transaction in
      try context.reads?.willReadAnything(in: transaction)
      return try run(transaction)
    }
  }

  /// Returns the number of objects. No object is created.
  func fetchCount() throws -> Int {
    try withQuery { query, running in
      var count = 0
      try RowStream(query).read(in: running.environment) { _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Returns the objects of the rows that `choose` selects.
  func objects(_ choose: ([EmbeddedRow]) -> ArraySlice<EmbeddedRow>) throws -> [Element] {
    try withQuery { query, running in
      var rows: [EmbeddedRow] = []
      try RowStream(query).read(in: running.environment) { row in
        rows.append(EmbeddedRow(place: running.environment.place, record: [UInt8](row.key)))
        return true
      }
      let chosen = choose(rows)
      if chosen.isEmpty { return [] }
      if let given = context.given?.parts(at: chosen.lazy.map(\.place), as: Element.self) { return given }
      if let scope = context.readingScope, let live = try liveObjects(chosen, scope, query, running) {
        return live
      }
      return try chosen.compactMap { row in
        try row.record.withUnsafeBytes {
          try running.binding.decodeEmbedded(record: $0, context: context.lasting).cast(to: Element.self)
        }
      }
    }
  }

  /// Returns the objects from the collection of the scope's own object, or `nil` if that collection has
  /// different elements.
  private func liveObjects(
    _ rows: ArraySlice<EmbeddedRow>,
    _ scope: AccessScope,
    _ query: PreparedQuery,
    _ running: QueryRunning
  ) throws -> [Element]? {
    guard let members, let type = running.store.descriptor(named: members.type)?.type else { return nil }
    let binding = try running.store.binding(of: type)
    guard var holder = try members.key.bytes.withUnsafeBytes({ try scope.object(of: binding, key: $0) })
    else {
      return nil
    }
    for (index, column) in members.path.enumerated() {
      guard let property = holder.descriptor.properties.first(where: { $0.column == column }) else {
        return nil
      }
      let value = holder.value(of: property)
      if index == members.path.count - 1 {
        return try (value as? any EmbeddedElements)?.elements(rows.map(\.place), query, running)
      }
      guard let next = (value as? any EmbeddedObjectHolder)?.held else { return nil }
      holder = next
    }
    return nil
  }

  /// Returns an aggregate of a property.
  private func fold(_ aggregate: RowAggregate, of path: QueryPath) throws -> RowFold {
    try withQuery { query, running in
      let operand = try running.binder.operand(.path(path))
      try running.binder.check(operand, aggregate, path.text)
      var fold = RowFold(aggregate, kind: operand.kind)
      try RowStream(query).read(in: running.environment) { row in
        try fold.add(operand, row, in: running.environment)
        return true
      }
      return fold
    }
  }
}

extension EmbeddedResults: ObjectQuery {
  /// Computes an aggregate.
  public func _aggregate(_ request: _AggregateRequest<Element>) -> _AggregateOutcome {
    _AggregateOutcome(context, Element.self) {
      let path =
        switch request.source {
        case .keyPath(let keyPath): try QueryPath.of(keyPath)
        case .property(let property): QueryPath(keyPath: property)
        case .values: throw FiefError(.invalidQuery, "Embedded objects are aggregated by their properties.")
        }
      return (.fold(try fold(request.aggregate, of: path)), path.text)
    }
  }
}

/// A collection of embedded objects that provides its elements by position.
private protocol EmbeddedElements {
  /// - Returns: `nil` if the collection does not have such objects at these positions.
  func elements<Element: EmbeddedObject>(
    _ places: [Int],
    _ query: PreparedQuery,
    _ running: QueryRunning
  ) throws -> [Element]?
}

extension List: EmbeddedElements {
  fileprivate func elements<Object: EmbeddedObject>(
    _ places: [Int],
    _ query: PreparedQuery,
    _ running: QueryRunning
  ) -> [Object]? {
    let objects = places.compactMap { self[$0] as? Object }
    return objects.count == places.count ? objects : nil
  }
}

extension Map: EmbeddedElements {
  fileprivate func elements<Object: EmbeddedObject>(
    _ places: [Int],
    _ query: PreparedQuery,
    _ running: QueryRunning
  ) throws -> [Object]? {
    let wanted = Set(places)
    var keys: [Int: String] = [:]
    try query.members?.forEachRun(running.store.tables, in: running.environment.transaction) { run in
      for entry in run.entries where wanted.contains(entry.place) {
        keys[entry.place] = String(decoding: run.name(entry), as: UTF8.self)
      }
      return keys.count < wanted.count
    }
    let objects = places.compactMap { keys[$0].flatMap { self[$0] } as? Object }
    return objects.count == places.count ? objects : nil
  }
}
