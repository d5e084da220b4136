import LMDB

/// The records of a type in the order of their keys, or in its opposite.
final class ScanAccess: QueryAccess {
  private let range: ByteRange
  private let isBackward: Bool
  private let condition: RowCondition?

  init(table: Table, range: ByteRange = .all, isBackward: Bool = false, condition: RowCondition?) {
    self.range = range
    self.isBackward = isBackward
    self.condition = condition
    super.init(table: table)
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    let range = range.resumed(after: position, isBackward: isBackward)
    let cursor = try environment.transaction.cursor(records)
    var found = try range.enter(cursor, isBackward: isBackward)
    while found, isBackward || !range.isBehind(cursor.key) {
      if isBackward, range.isBefore(cursor.key) { break }
      if let row = try environment.row(of: table, key: cursor.key, record: cursor.value, if: condition),
        try !body(row)
      {
        return QueryPosition(bytes: [UInt8](cursor.key))
      }
      found = isBackward ? try cursor.previous() : try cursor.next()
    }
    return nil
  }

  override func count(in environment: QueryEnvironment) throws -> Int {
    guard condition == nil, range == .all else { return try super.count(in: environment) }
    guard let records = table.records else { return 0 }
    return try environment.transaction.count(records)
  }
}
