import LMDB

/// Aggregates a column of linked objects. It collects the objects' keys from the records of many owners, and
/// looks them up together in key order.
// SAFETY: `rows` has room for `LinkKeys.capacity` rows, all initialised. The rows and keys are in pages of
// the transaction, which does not change during an aggregate.
final class LinkedValues {
  private let values: BoundValues
  private let collection: StoredCollection
  private let column: ColumnOperand
  private let table: Table
  private let cursor: Cursor
  private let environment: QueryEnvironment
  @exclusivity(unchecked) private var keys = LinkKeys()
  /// Whether only a sum of integers is computed, for which the order does not matter.
  private let addsIntegers: Bool
  @exclusivity(unchecked) private var sum = IntegerSum()
  @exclusivity(unchecked) private var fold: RowFold
  /// The rows in the order of the links, or `nil` if the order does not matter.
  private var rows: UnsafeMutablePointer<QueryRow?>?

  /// - Returns: `nil` if the values are not a column of linked objects.
  init?(_ values: BoundValues, for aggregate: RowAggregate, _ environment: QueryEnvironment) throws {
    guard let collection = values.scopes.last?.collection as? StoredCollection, let table = collection.table,
      let records = table.records, let column = values.operand as? ColumnOperand,
      column.column.table === table
    else { return nil }
    self.values = values
    self.collection = collection
    self.table = table
    self.column = column
    self.environment = environment
    cursor = try environment.transaction.cursor(records)
    fold = RowFold(aggregate, kind: column.kind)
    addsIntegers = (aggregate == .sum || aggregate == .average) && column.kind?.isInteger == true
  }

  deinit { rows?.deallocate() }

  /// Adds the links of a row.
  func add(_ row: QueryRow) throws {
    try values.forEachElement(row, of: values.scopes.indices.dropLast(), in: environment) { owner in
      try collection.forEachKey(owner, in: environment) { key in
        // No stored object has a key of this length.
        guard ObjectKey.lengths.contains(key.count) else { return }
        if keys.isFull { try flush() }
        keys.append(key)
      } flush: {
        try flush()
      }
    }
  }

  /// Returns the aggregate of the values of all links.
  func finish() throws -> RowFold {
    try flush()
    fold.add(integers: sum.total, count: sum.count)
    sum = IntegerSum()
    return fold
  }

  private func flush() throws {
    defer { keys.removeAll() }
    keys.sort()
    if addsIntegers { try addIntegers() } else { try addInOrder() }
  }

  private func addIntegers() throws {
    let reader = column.column.integers
    for index in 0..<keys.count {
      let key = keys[index]
      guard try cursor.seek(exactly: key) else { continue }
      let record = cursor.value
      try environment.verify(record, key, of: table)
      switch reader?.read(record) ?? .other {
      case .integer(let value): sum.add(value)
      case .null: continue
      case .other:
        let row = try QueryRow(key: key, record: record, of: table)
        if let value = try column.integer(of: row, in: environment) { sum.add(value) }
      }
    }
  }

  /// Adds values in the order of the links, because rounding depends on the order. The result is the same as
  /// if the links were followed one by one.
  private func addInOrder() throws {
    let rows = self.rows ?? .allocate(capacity: LinkKeys.capacity)
    if self.rows == nil { rows.initialize(repeating: nil, count: LinkKeys.capacity) }
    self.rows = rows
    for index in 0..<keys.count {
      let key = keys[index]
      guard try cursor.seek(exactly: key) else {
        rows[keys.place(index)] = nil
        continue
      }
      try environment.verify(cursor.value, key, of: table)
      rows[keys.place(index)] = try QueryRow(key: key, record: cursor.value, of: table)
    }
    for place in 0..<keys.count {
      if let row = rows[place] { try fold.add(column, row, in: environment) }
    }
  }
}
