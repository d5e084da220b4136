import LMDB

/// The embedded objects of a list or a map, in the order of the collection.
///
/// Embedded objects have no keys, so each row contains its record instead of a key. A sort therefore keeps
/// the records, and nothing is looked up afterwards. The objects are read in one transaction, so reads are
/// never resumed.
final class EmbeddedAccess: QueryAccess {
  private let source: MemberSource
  private let condition: RowCondition?

  init(table: Table, source: MemberSource, condition: RowCondition?) {
    self.source = source
    self.condition = condition
    super.init(table: table)
  }

  override var members: MemberSource? { source }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    let noKey = UnsafeRawBufferPointer(start: nil, count: 0)
    try source.forEachRun(environment.tables, in: environment.transaction) { run in
      for entry in run.entries {
        guard let record = run.key(entry) else { continue }
        let row = try QueryRow(key: noKey, record: record, of: table)
        if let condition, try !condition.holds(row, in: environment) { continue }
        environment.place = entry.place
        if try !body(row.withKey(record)) { return false }
      }
      return true
    }
    return nil
  }
}
