import LMDB

extension Results {
  /// Returns some properties of each object. No object is created and only the columns of these properties
  /// are read.
  ///
  /// ```swift
  /// for (name, age) in people.sorted(byKeyPath: \.name).select(\.name, \.age) { print(name, age) }
  /// let cities = try people.distinct(by: \.address?.city).select(\.address?.city).all()
  /// ```
  /// - Parameter keyPaths: properties with single values, also through links to one object and embedded
  ///   objects. If a link on the path is nil, a required property has its default value.
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

/// Some properties of the objects of ``Results``. Like results, they are read each time you use them.
public struct SelectedResults<Root: Object, each Value: Persistable>: Sendable {
  let results: Results<Root>
  let paths: [QueryPath]

  /// Returns the values of all objects, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [(repeat each Value)] {
    var rows: [(repeat each Value)] = []
    try results.forEachRow(reading: reader) { rows.append($0) }
    return rows
  }

  /// The values of the first object, or `nil` if there are no objects.
  public var first: (repeat each Value)? { results.reported(nil) { try fetchFirst() } }

  /// Returns the values of the first object, or `nil` if there are no objects.
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

  /// Calls a closure with the values of each object. All values are read in one transaction, and only one row
  /// is in memory at a time.
  ///
  /// ```swift
  /// try people.select(\.name, \.age).forEachRow { name, age in print(name, age) }
  /// ```
  /// In a `write { }` the closure may change objects. Values are then read for some objects in advance.
  ///
  /// - Throws: the error of the closure, and ``FiefError`` for a closed store, a damaged record, or a query
  ///   that cannot be answered.
  public func forEachRow(_ body: (repeat each Value) throws -> Void) throws {
    // Passes values one by one instead of as a tuple, because the compiler cannot translate a closure with a
    // tuple of a pack.
    try results.forEachRow(reading: reader) { (row: (repeat each Value)) in try body(repeat each row) }
  }

  /// Returns the reader of the rows' values.
  ///
  /// - Throws: ``FiefError`` for properties that are not single values or have another type.
  func reader(_ binder: QueryBinder) throws -> RowReader<(repeat each Value)> {
    try SelectedReader<repeat each Value>(paths, binder)
  }
}

extension SelectedResults: Sequence {
  /// Returns an iterator that reads the values in batches. Outside scopes each batch has its own transaction.
  public func makeIterator() -> AnyIterator<(repeat each Value)> {
    AnyIterator(RowReaderIterator(results, reader))
  }
}

/// A reader that extracts values from rows.
class RowReader<Row> {
  func values(of row: QueryRow, in environment: QueryEnvironment) throws -> Row {
    throw FiefError(.invalidQuery, "No properties to read were given.")
  }
}

/// A reader that extracts some columns of rows as typed values.
final class SelectedReader<each Value: Persistable>: RowReader<(repeat each Value)> {
  private let operands: [RowOperand]
  private let kinds: [ColumnType.Kind]
  private var writer = ValueWriter()
  private var next = 0

  /// - Throws: ``FiefError`` for properties that are not single values or have another type.
  init(_ paths: [QueryPath], _ binder: QueryBinder) throws {
    operands = try paths.map { try binder.operand(.path($0)) }
    var kinds: [ColumnType.Kind] = []
    for type in repeat (each Value).self { kinds.append(type._columnType.kind) }
    self.kinds = kinds
    for (index, operand) in operands.enumerated() {
      guard let kind = operand.kind, kind != .link, kind != .embedded else {
        throw binder.invalid("An object is not a value of a column.", property: paths[index].text)
      }
      guard kind == kinds[index] || kinds[index] == .any else {
        throw binder.invalid(
          "The property has a different type.",
          property: paths[index].text,
          details: ["requested: \(kinds[index].facts.swiftName)", "property: \(kind.facts.swiftName)"]
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

/// An iterator that reads values in batches and keeps no transaction open between batches.
struct RowReaderIterator<Root: Object, Row>: IteratorProtocol {
  private let results: Results<Root>
  private let makeReader: (QueryBinder) throws -> RowReader<Row>
  private let reportsDamage: Bool
  private var rows: LoopRows?
  /// The remaining rows of the current batch, with the next row last.
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
  /// Returns the results with an additional limit on the number of objects.
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
  /// Calls a closure with the values read from each row. In a write the rows are read in batches, because the
  /// closure may change the store under an open cursor.
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
