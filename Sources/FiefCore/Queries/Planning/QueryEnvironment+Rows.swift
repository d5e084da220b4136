import LMDB

extension QueryEnvironment {
  /// Verifies a record that was looked up under its key, before its columns are read.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  package func verify(
    _ record: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    of table: Table
  ) throws {
    try verified.verify(record, key, of: table)
  }

  /// The row of a record that was looked up, nil where a condition does not hold for it or the record is damaged.
  ///
  /// - Throws: the error of a damaged record where nothing collects them.
  @inline(__always)
  package func foundRow(
    of table: Table,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    if condition: RowCondition?
  ) throws -> QueryRow? {
    do { try verified.verify(record, key, of: table) } catch {
      try takeDamage(key, error)
      return nil
    }
    return try row(of: table, key: key, record: record, if: condition)
  }

  /// Keeps those records of a block that are not damaged.
  @inline(never)
  func keepVerified(_ block: inout RowBlock) throws {
    let (table, run) = (block.table, block.run)
    try block.keep { place in
      do { try verified.verify(run.value(place), run.key(place), of: table) } catch {
        try takeDamage(run.key(place), error)
        return false
      }
      return true
    }
  }

  /// The row of a verified record, nil where a condition does not hold for it or the record is damaged.
  ///
  /// - Throws: the error of a damaged record where nothing collects them.
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
    return try foundRow(of: table, key: key, record: record, if: condition)
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
