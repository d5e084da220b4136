import LMDB

extension QueryEnvironment {
  /// Verifies a record that was looked up by its key, before its columns are read.
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

  /// Returns the row of a record that was looked up, or `nil` if a condition does not hold for it or the
  /// record is damaged.
  ///
  /// - Throws: the error of a damaged record, if damage is not collected.
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

  /// Verifies a record of a page with damaged records.
  ///
  /// - Returns: false if the record is damaged.
  /// - Throws: the error of a damaged record, if damage is not collected.
  @inline(never)
  func isIntact(
    _ record: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    of table: Table
  ) throws -> Bool {
    do { try verified.verify(record, key, of: table) } catch {
      try takeDamage(key, error)
      return false
    }
    return true
  }

  /// Keeps the undamaged records of a block.
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

  /// Returns the row of a verified record, or `nil` if a condition does not hold for it or the record is
  /// damaged.
  ///
  /// - Throws: the error of a damaged record, if damage is not collected.
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

  /// Returns the row of an entry's object, or `nil` if a condition does not hold for it, or if the object is
  /// damaged or missing.
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

  /// Reports an entry without an object as damage.
  @inline(never)
  func takeMissing(_ key: UnsafeRawBufferPointer, of table: Table) throws {
    try takeDamage(
      key,
      FiefError(.damagedRecord, "An index refers to a missing object.", type: table.name)
    )
  }
}
