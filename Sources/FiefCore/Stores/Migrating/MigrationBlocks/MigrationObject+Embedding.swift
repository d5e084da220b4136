/// Using embedded objects as values in another schema.
extension MigrationObject {
  /// Whether the record of an embedded object can be used unchanged for a type.
  ///
  /// The result is false if the object is old and a property of the type, or of a type nested in it, is
  /// stored in a different column now.
  func hasRecord(of table: Table) throws -> Bool {
    guard let own = self.table, own.entry.id == table.entry.id else { return false }
    guard let old else { return true }
    let working = migration.writer.tables
    var pending = [(own, table)]
    var seen: Set<UInt32> = []
    while let (before, now) = pending.popLast() {
      guard seen.insert(now.entry.id).inserted else { continue }
      for column in now.entry.currentColumns {
        guard let former = before.entry.column(named: column.name) else { continue }
        if former.id != column.id { return false }
        guard column.type.kind == .embedded, let target = column.type.target else { continue }
        guard let inner = old.table(target), let table = working[target], inner.entry.id == table.entry.id
        else { return false }
        pending.append((inner, table))
      }
    }
    return true
  }

  /// Returns the values that an embedded object of another type gets from this one: the values of properties
  /// with the same name whose type can become the new type.
  func values(for table: Table) throws -> [String: Any] {
    var values: [String: Any] = [:]
    for column in table.entry.currentColumns where !WorkingSchema.isPending(column) && column.type.isStored {
      guard let own = self.table?.entry.column(named: column.name) else { continue }
      var type = own.type
      if let old, let target = type.target { type.target = old.currentName(of: target) }
      // Nested objects that can no longer be embedded must not be lost silently.
      guard
        type == column.type || type.kind == .embedded || column.type.accepts(type)
          || MigrationConversion.isConvertible(from: type, to: column.type)
      else { continue }
      if let value = try value(of: column.name) { values[column.name] = value }
    }
    return values
  }
}
