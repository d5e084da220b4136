import FiefCore
import LMDB

/// The objects of a type that match a query text, read without their class; see
/// ``DynamicSnapshot/query(_:_:_:)``.
///
/// Use it only on the thread of its snapshot, and only as long as the snapshot is valid. Each use reads the
/// snapshot's state at the time of the call.
public struct DynamicQuery {
  /// The name of the objects' type.
  public let typeName: String
  let description: QueryDescription
  let table: Table
  let snapshot: DynamicSnapshot
  private static let batch = 64
  private static let sortMemory = 64 << 20

  /// - Throws: ``FiefError`` if the query is not supported.
  init(_ description: QueryDescription, _ table: Table, _ snapshot: DynamicSnapshot) throws {
    self.description = description
    self.table = table
    self.snapshot = snapshot
    typeName = table.name
    _ = try prepare(description)
  }

  /// The complete text of the query in canonical form.
  public var text: String { QueryPrinter.text(of: description) }

  /// Returns the same query, limited to a number of objects. A query with `LAST` keeps its limit.
  package func limited(to count: Int) throws -> DynamicQuery {
    var limited = description
    switch description.limit {
    case .first(let other)?: limited.limit = .first(min(count, other))
    case .last?: break
    case nil: limited.limit = .first(max(0, count))
    }
    return try DynamicQuery(limited, table, snapshot)
  }

  func prepare(_ description: QueryDescription) throws -> PreparedQuery {
    try PreparedQuery(
      description,
      binder: QueryBinder(tables: snapshot.tables, table: table, names: .columns),
      transaction: snapshot.transaction,
      memory: Self.sortMemory
    )
  }

  /// Calls a closure with each object, in the order of the query.
  ///
  /// Records are copied in small batches, so the closure may write if the scope is a write.
  ///
  /// - Parameters:
  ///   - onDamage: called with each damaged record, which is then skipped. Without this closure the first
  ///     damaged record ends the enumeration.
  ///   - body: receives each object.
  /// - Throws: the errors of the closures; ``FiefError`` of code `damagedRecord`.
  public func forEach(
    onDamage: ((ObjectKey, FiefError) throws -> Void)? = nil,
    _ body: (DynamicObject) throws -> Void
  ) throws {
    try withoutActuallyEscaping(onDamage ?? { _, error in throw error }) { damage in
      let rows = LoopRows(try described { try prepare(description) }, snapshot.tables)
      while !rows.isAtEnd {
        for object in try described({ try nextObjects(of: rows, damage) }) { try body(object) }
      }
    }
  }

  private func nextObjects(
    of rows: LoopRows,
    _ damage: @escaping (ObjectKey, FiefError) throws -> Void
  ) throws -> [DynamicObject] {
    let environment = try environment()
    environment.damage = { try damage(ObjectKey($0), $1) }
    var records: [(key: ObjectKey, record: [UInt8])] = []
    try rows.read(in: environment, snapshot.loopPlace) { row in
      records.append((ObjectKey(row.key), [UInt8](row.view.bytes)))
      return records.count < Self.batch
    }
    return try records.compactMap { key, record in
      do {
        return try DynamicObject(table, snapshot.tables, key: key, record: record, in: snapshot.transaction)
      } catch {
        let error = FiefError.described(
          error,
          store: snapshot.tables.storeName,
          type: typeName,
          key: key.bytes
        )
        guard let error = error as? FiefError else { throw error }
        try damage(key, error)
        return nil
      }
    }
  }

  /// Returns all objects.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func objects() throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try forEach { objects.append($0) }
    return objects
  }

  /// Returns the first object, or `nil` if no object matches.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func first() throws -> DynamicObject? {
    var first = description
    switch description.limit {
    case .first(0)?: return nil
    case .last?: return try objects().first
    case .first?, nil: first.limit = .first(1)
    }
    return try DynamicQuery(first, table, snapshot).objects().first
  }

  /// Returns the number of objects. Reads no records if an index or the store contains the number.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func count() throws -> Int {
    var whole = description
    whole.order = []
    whole.offset = 0
    whole.limit = nil
    let total = try described {
      let query = try prepare(whole)
      let environment = try environment()
      if whole.distinct.isEmpty { return try query.access.count(in: environment) }
      var count = 0
      try RowStream(query).read(in: environment) { _ in
        count += 1
        return true
      }
      return count
    }
    let rest = max(0, total - description.offset)
    switch description.limit {
    case .first(let count)?, .last(let count)?: return min(count, rest)
    case nil: return rest
    }
  }

  /// Returns the plan by which the objects would be found now, without reading any of them; see
  /// ``Results/explain(_:)``.
  ///
  /// - Parameter use: the requested result: the objects, their number, or an aggregate of a column.
  /// - Throws: ``FiefError`` if the query is not supported.
  public func explain(_ use: QueryPlan.Use = .objects) throws -> QueryPlan {
    try described {
      try snapshot.prepareForReading()
      let binder = QueryBinder(tables: snapshot.tables, table: table, names: .columns)
      return try QueryPlanner(binder: binder, transaction: snapshot.transaction).explain(description, use)
    }
  }

  func environment() throws -> QueryEnvironment {
    try snapshot.prepareForReading()
    return QueryEnvironment(tables: snapshot.tables, transaction: snapshot.transaction)
  }

  private func described<Value>(_ body: () throws -> Value) throws -> Value { try snapshot.described(body) }
}

extension DynamicStore {
  /// Returns the objects of a type that match a query text, all from one state of the store; see
  /// ``DynamicSnapshot/query(_:_:_:)``.
  public func objects(ofType typeName: String, where text: String, _ arguments: Any...) throws
    -> [DynamicObject]
  {
    try read { try $0.query(typeName, text, variadic: arguments).objects() }
  }

  /// Returns the objects of a type that match a query text without arguments, all from one state of the
  /// store.
  public func objects(ofType typeName: String, where text: String) throws -> [DynamicObject] {
    try read { try $0.query(typeName, text).objects() }
  }
}
