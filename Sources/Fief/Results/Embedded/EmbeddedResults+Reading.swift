import LMDB

/// An embedded object that fulfils a condition.
struct EmbeddedRow {
  let place: Int
  /// The key in a map.
  let name: [UInt8]
  let record: [UInt8]
  fileprivate let sortKey: [UInt8]
}

extension EmbeddedResults {
  /// Calls `body` with the objects that the query finds, in its order, and with their transaction.
  func withRows<Value>(_ body: ([EmbeddedRow], QueryEnvironment) throws -> Value) throws -> Value {
    if let failure { throw failure }
    guard let store = context.store, let members else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    func find(_ transaction: LMDB.Transaction) throws -> Value {
      do {
        let environment = QueryEnvironment(tables: store.tables, transaction: transaction)
        return try body(try rows(members, try binder(in: store), environment), environment)
      } catch { throw store.described(error, type: Element.className()) }
    }
    if let scope = context.readingScope {
      try scope.prepareForReading()
      return try find(try scope.liveTransaction())
    }
    return try store.read { try find($0) }
  }

  private func binder(in store: StoreCore) throws -> QueryBinder {
    QueryBinder(
      tables: store.tables,
      table: try store.binding(of: Element.self).table,
      names: store.queryNames
    )
  }

  private func rows(_ members: QueryMembers, _ binder: QueryBinder, _ environment: QueryEnvironment) throws
    -> [EmbeddedRow]
  {
    let source = try MemberSource(members, binder)
    let description = try context.given?.question(description) ?? description
    let condition = try description.condition.map(binder.condition)
    let order = RowOrder(try description.order.map { try binder.part($0, isOrder: true) })
    let distinct = RowOrder(try description.distinct.map { try binder.part(QueryOrder(.path($0))) })
    var rows: [EmbeddedRow] = []
    var writer = ValueWriter()
    try source.forEachRun(environment.tables, in: environment.transaction) { run in
      for entry in run.entries {
        guard let record = run.key(entry) else { continue }
        let row = try QueryRow(
          key: UnsafeRawBufferPointer(start: nil, count: 0),
          record: record,
          of: binder.table
        )
        if let condition, try !condition.holds(row, in: environment) { continue }
        writer.removeAll()
        try order.append(row, in: environment, to: &writer)
        rows.append(
          EmbeddedRow(
            place: entry.place,
            name: [UInt8](run.name(entry)),
            record: [UInt8](record),
            sortKey: writer.bytes
          )
        )
      }
      return true
    }
    if !description.order.isEmpty {
      rows.sort { first, second in
        let result = first.sortKey.withUnsafeBytes { a in
          second.sortKey.withUnsafeBytes { order.compare(a, $0) }
        }
        return result == 0 ? first.place < second.place : result < 0
      }
    }
    if !description.distinct.isEmpty {
      var seen: Set<[UInt8]> = []
      rows = try rows.filter { found in
        try found.withRow(of: binder.table) { row in
          writer.removeAll()
          try distinct.append(row, in: environment, to: &writer)
          return seen.insert(writer.bytes).inserted
        }
      }
    }
    rows.removeFirst(Swift.min(description.offset, rows.count))
    switch description.limit {
    case .first(let count)?: return Array(rows.prefix(count))
    case .last(let count)?: return rows.suffix(count)
    case nil: return rows
    }
  }

  /// The objects of some of the rows.
  func objects(_ choose: ([EmbeddedRow]) -> ArraySlice<EmbeddedRow>) throws -> [Element] {
    try withRows { rows, _ in
      let chosen = choose(rows)
      guard let store = context.store, !chosen.isEmpty else { return [] }
      if let given = context.given?.parts(at: chosen.lazy.map(\.place), as: Element.self) { return given }
      if let scope = context.readingScope, let live = try liveObjects(chosen, store, scope) { return live }
      let binding = try store.binding(of: Element.self)
      return try chosen.compactMap { row in
        try row.record.withUnsafeBytes {
          try binding.decodeEmbedded(record: $0, context: context.lasting).cast(to: Element.self)
        }
      }
    }
  }

  /// The objects that the collection of the scope's own object has; nil where it is another one.
  private func liveObjects(_ rows: ArraySlice<EmbeddedRow>, _ store: StoreCore, _ scope: AccessScope) throws
    -> [Element]?
  {
    guard let members, let type = store.descriptor(named: members.type)?.type else { return nil }
    let binding = try store.binding(of: type)
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
        return (value as? any EmbeddedElements).map { $0.elements(rows) } ?? nil
      }
      guard let next = (value as? any EmbeddedObjectHolder)?.held else { return nil }
      holder = next
    }
    return nil
  }

  /// An aggregate of a property.
  func fold(_ aggregate: RowAggregate, of path: QueryPath) throws -> RowFold {
    try withRows { rows, environment in
      guard let store = context.store else { return RowFold(aggregate, kind: nil) }
      let binder = try binder(in: store)
      let operand = try binder.operand(.path(path))
      try binder.check(operand, aggregate, path.text)
      var fold = RowFold(aggregate, kind: operand.kind)
      for row in rows { try row.withRow(of: binder.table) { try fold.add(operand, $0, in: environment) } }
      return fold
    }
  }
}

extension EmbeddedRow {
  fileprivate func withRow<Value>(of table: Table, _ body: (QueryRow) throws -> Value) throws -> Value {
    try record.withUnsafeBytes {
      try body(try QueryRow(key: UnsafeRawBufferPointer(start: nil, count: 0), record: $0, of: table))
    }
  }
}

/// A collection of embedded objects, some of which are asked for by where they are.
private protocol EmbeddedElements {
  func elements<Element: EmbeddedObject>(_ rows: ArraySlice<EmbeddedRow>) -> [Element]?
}

extension List: EmbeddedElements {
  fileprivate func elements<Object: EmbeddedObject>(_ rows: ArraySlice<EmbeddedRow>) -> [Object]? {
    let objects = rows.compactMap { self[$0.place] as? Object }
    return objects.count == rows.count ? objects : nil
  }
}

extension Map: EmbeddedElements {
  fileprivate func elements<Object: EmbeddedObject>(_ rows: ArraySlice<EmbeddedRow>) -> [Object]? {
    let objects = rows.compactMap { self[String(decoding: $0.name, as: UTF8.self)] as? Object }
    return objects.count == rows.count ? objects : nil
  }
}
