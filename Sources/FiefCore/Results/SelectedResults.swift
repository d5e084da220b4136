import LMDB

extension Results {
  /// Some properties of each object, without making any object: only these columns are read.
  ///
  /// ```swift
  /// for (name, age) in people.sorted(byKeyPath: \.name).select(\.name, \.age) { print(name, age) }
  /// let cities = try people.distinct(by: \.address?.city).select(\.address?.city).all()
  /// ```
  /// - Parameter keyPaths: properties with single values, also through links to one object and embedded objects;
  ///   where such a link is nil, a property that cannot be nil has its default value.
  public func select<each Value: Persistable>(_ keyPaths: repeat KeyPath<Element, each Value>)
    -> SelectedResults<Element, repeat each Value>
  {
    var paths: [QueryPath] = []
    var results = self
    for keyPath in repeat each keyPaths {
      do { paths.append(try QueryPath.of(keyPath)) } catch {
        results = results.failing(
          error as? FiefError ?? FiefError(.invalidQuery, "The key path does not name a property.")
        )
      }
    }
    return SelectedResults(results: results, paths: paths)
  }
}

/// Some properties of the objects of ``Results``: as lazy as these.
public struct SelectedResults<Root: Object, each Value: Persistable>: Sendable {
  let results: Results<Root>
  let paths: [QueryPath]

  /// The values of each object, all read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [(repeat each Value)] {
    var rows: [(repeat each Value)] = []
    try results.forEachRow(reading: reader) { rows.append($0) }
    return rows
  }

  /// The values of the first object, nil where there is none.
  public var first: (repeat each Value)? { results.reported(nil) { try fetchFirst() } }

  /// The values of the first object, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchFirst() throws -> (repeat each Value)? {
    var first: (repeat each Value)?
    let one = results.atMost(1)
    try one.forEachRow(reading: reader) { if first == nil { first = $0 } }
    return first
  }

  /// The number of objects.
  public var count: Int { results.count }

  /// Calls a closure with the values of each object, all read in one transaction; no more than one of them is
  /// held at a time.
  ///
  /// ```swift
  /// try people.select(\.name, \.age).forEachRow { name, age in print(name, age) }
  /// ```
  /// In a `write { }` the closure may change objects; the values are read some objects ahead of it there.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` for a closed store, a damaged record, or a query that
  ///   cannot be answered.
  public func forEachRow(_ body: (repeat each Value) throws -> Void) throws {
    // Values one by one rather than a tuple: the compiler cannot translate a closure of a tuple that is a pack.
    try results.forEachRow(reading: reader) { (row: (repeat each Value)) in try body(repeat each row) }
  }

  /// The reader of rows' values.
  ///
  /// - Throws: ``FiefError`` for properties that are no single values or have another type.
  func reader(_ binder: QueryBinder) throws -> RowReader<(repeat each Value)> {
    try SelectedReader<repeat each Value>(paths, binder)
  }
}

extension SelectedResults: Sequence {
  /// An iterator that reads the values in batches, each in a transaction of its own outside of scopes.
  public func makeIterator() -> AnyIterator<(repeat each Value)> {
    AnyIterator(RowReaderIterator(results, reader))
  }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// Makes values of rows.
class RowReader<Row> {
  func values(of row: QueryRow, in environment: QueryEnvironment) throws -> Row {
    throw FiefError(.invalidQuery, "Nothing is to be read.")
  }
}

/// Reads some columns of rows.
final class SelectedReader<each Value: Persistable>: RowReader<(repeat each Value)> {
  private let operands: [RowOperand]
  private let kinds: [ColumnType.Kind]
  private var writer = ValueWriter()
  private var next = 0

  /// - Throws: ``FiefError`` for properties that are no single values or have another type.
  init(_ paths: [QueryPath], _ binder: QueryBinder) throws {
    operands = try paths.map { try binder.operand(.path($0)) }
    var kinds: [ColumnType.Kind] = []
    for type in repeat (each Value).self { kinds.append(type._columnType.kind) }
    self.kinds = kinds
    for (index, operand) in operands.enumerated() {
      guard let kind = operand.kind, kind != .link, kind != .embedded else {
        throw binder.invalid("An object is no value of a column.", property: paths[index].text)
      }
      guard kind == kinds[index] || kinds[index] == .any else {
        throw binder.invalid(
          "The property has another type.",
          property: paths[index].text,
          details: ["asked for: \(kinds[index].swiftName)", "property: \(kind.swiftName)"]
        )
      }
    }
  }

  override func values(of row: QueryRow, in environment: QueryEnvironment) throws -> (repeat each Value) {
    next = 0
    return (repeat try value((each Value).self, row, environment))
  }

  private func value<One: Persistable>(_ type: One.Type, _ row: QueryRow, _ environment: QueryEnvironment)
    throws
    -> One
  {
    defer { next += 1 }
    return try operands[next].evaluate(row, in: environment).read(
      as: type,
      kinds[next],
      &writer,
      environment.origin
    )
  }
}

/// Values in batches, between which no transaction is held.
struct RowReaderIterator<Root: Object, Row>: IteratorProtocol {
  private let results: Results<Root>
  private let makeReader: (QueryBinder) throws -> RowReader<Row>
  private let reportsDamage: Bool
  private var rows: LoopRows?
  /// The rows of a batch that are left, the next one at the end.
  private var batch: [Row] = []
  private var batchSize = 8
  private var isAtEnd = false

  init(
    _ results: Results<Root>,
    reportsDamage: Bool = true,
    _ makeReader: @escaping (QueryBinder) throws -> RowReader<Row>
  ) {
    self.results = results
    self.makeReader = makeReader
    self.reportsDamage = reportsDamage
  }

  mutating func next() -> Row? {
    do { return try fetchNext() } catch {
      results.context.report(error, type: Root.className(), property: (error as? FiefError)?.property)
      isAtEnd = true
      return nil
    }
  }

  mutating func fetchNext() throws -> Row? {
    while batch.isEmpty {
      if isAtEnd { return nil }
      try fill()
      batch.reverse()
      batchSize = Swift.min(batchSize * 4, 64)
    }
    return batch.removeLast()
  }

  private mutating func fill() throws {
    (rows, batch) = try results.withTransaction { store, transaction, scope in
      let running = try QueryRunning(Root.self, store, transaction, scope, results.context)
      if reportsDamage { running.reportDamage() }
      if rows == nil { try results.checkCursors(in: store) }
      running.noteBatch(isFirst: rows == nil)
      let rows = try self.rows ?? LoopRows(try running.prepare(results.description), store.tables)
      defer { rows.finish(running) }
      let reader = try makeReader(running.binder)
      var batch: [Row] = []
      try rows.read(in: running.environment, results.loopPlace(store, scope)) { row in
        batch.append(try reader.values(of: row, in: running.environment))
        running.noteSelected(row)
        return batch.count < batchSize
      }
      return (rows, batch)
    }
    isAtEnd = rows?.isAtEnd ?? true
  }
}

extension Results {
  /// No more than so many of the results, in their order.
  func atMost(_ count: Int) -> Results {
    describing {
      switch $0.limit {
      case .first(let limit)?: $0.limit = .first(Swift.min(limit, count))
      case .last?: break
      case nil: $0.limit = .first(count)
      }
    }
  }
}

extension Results {
  /// Calls a closure with the values read from each row; in a write in batches, since the closure may change
  /// the place of a cursor.
  func forEachRow<Row>(
    reading makeReader: @escaping (QueryBinder) throws -> RowReader<Row>,
    _ body: (Row) throws -> Void
  ) throws {
    if context.readingScope is WriteTransaction {
      var rows = RowReaderIterator(self, reportsDamage: false, makeReader)
      while let row = try rows.fetchNext() { try body(row) }
      return
    }
    try withQuery { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      let reader = try makeReader(running.binder)
      try stream.read(in: running.environment) { row in
        let values = try reader.values(of: row, in: running.environment)
        running.noteSelected(row)
        try body(values)
        return true
      }
    }
  }
}
