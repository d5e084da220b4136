import LMDB

/// The path from a row to the target of a link, or to an embedded object.
final class FollowSource {
  let operand: RowOperand
  let table: Table
  private lazy var cache = FollowCache()

  init(_ operand: RowOperand, _ table: Table) {
    self.operand = operand
    self.table = table
  }

  var cost: Int { operand.cost + (table.records == nil ? 10 : 300) }

  /// Returns the target row, or `nil` if the link is nil or its object does not exist.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the target record is damaged.
  func row(from row: QueryRow, in environment: QueryEnvironment) throws -> QueryRow? {
    switch try operand.evaluate(row, in: environment) {
    case .object(_, let key): try target(key, in: environment)
    case .embedded(let record):
      try QueryRow(key: UnsafeRawBufferPointer(start: nil, count: 0), record: record, of: table)
    default: nil
    }
  }

  private func target(_ key: UnsafeRawBufferPointer, in environment: QueryEnvironment) throws -> QueryRow? {
    guard let records = table.records, ObjectKey.lengths.contains(key.count) else { return nil }
    guard environment.isStable else { return try find(key, records, environment) }
    return try cache.row(key, in: environment) { try find(key, records, environment) }
  }

  private func find(
    _ key: UnsafeRawBufferPointer,
    _ records: Database,
    _ environment: QueryEnvironment
  ) throws -> QueryRow? {
    guard let record = try environment.transaction.get(records, key) else { return nil }
    try environment.verify(record, key, of: table)
    return try QueryRow(key: key, record: record, of: table)
  }
}

/// An operand of the object at the end of a path. Its value is nil if there is no such object.
final class FollowedOperand: RowOperand {
  let source: FollowSource
  let operand: RowOperand

  init(_ source: FollowSource, _ operand: RowOperand) {
    self.source = source
    self.operand = operand
    super.init(kind: operand.kind, target: operand.target)
  }

  override var secret: RowColumn? { operand.secret }
  override var cost: Int { source.cost + operand.cost }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard let row = try source.row(from: row, in: environment) else { return .null }
    return try operand.evaluate(row, in: environment)
  }

  override func integer(of row: QueryRow, in environment: QueryEnvironment) throws -> Int64? {
    guard let row = try source.row(from: row, in: environment) else { return nil }
    return try operand.integer(of: row, in: environment)
  }

  override func double(of row: QueryRow, in environment: QueryEnvironment) throws -> Double? {
    guard let row = try source.row(from: row, in: environment) else { return nil }
    return try operand.double(of: row, in: environment)
  }
}
