import LMDB

extension QueryEnvironment {
  /// The row of a record, nil where a condition does not hold for it or the record is damaged.
  ///
  /// - Throws: the error of a damaged record where nobody takes those.
  @inline(__always)
  func row(
    of table: Table,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    if condition: RowCondition?
  ) throws -> QueryRow? {
    do {
      let row = try QueryRow(key: key, record: record, of: table)
      guard let condition else { return row }
      return try condition.holds(row, in: self) ? row : nil
    } catch {
      try takeDamage(key, error)
      return nil
    }
  }

  @inline(never)
  func takeDamage(_ key: UnsafeRawBufferPointer, _ error: any Error) throws {
    guard let damage, let error = error as? FiefError, error.code == .damagedRecord else { throw error }
    try damage(key, error)
  }

  /// The row of an entry's object, nil where a condition does not hold for it or something is damaged.
  @inline(__always)
  func row(
    of table: Table,
    _ records: Database,
    key: UnsafeRawBufferPointer,
    if condition: RowCondition?
  ) throws -> QueryRow? {
    guard let record = try transaction.get(records, key) else {
      try takeMissing(key, of: table)
      return nil
    }
    return try row(of: table, key: key, record: record, if: condition)
  }

  /// Takes note of an entry without its object.
  @inline(never)
  func takeMissing(_ key: UnsafeRawBufferPointer, of table: Table) throws {
    try takeDamage(
      key,
      FiefError(.damagedRecord, "An index has an object that is not there.", type: table.name)
    )
  }
}
