/// Embedded objects as values for another schema.
extension MigrationObject {
  /// Whether the record of an embedded object has all that a type has, so that it is one of it.
  ///
  /// False for the record of an old object where a property of the type, or of one inside of it, has another column.
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

  /// The values that an embedded object of a type gets from this one: those of the properties that have the
  /// same name and whose type can become the new one.
  func values(for table: Table) throws -> [String: Any] {
    var values: [String: Any] = [:]
    for column in table.entry.currentColumns where !WorkingSchema.isPending(column) && column.type.isStored {
      guard let own = self.table?.entry.column(named: column.name) else { continue }
      var type = own.type
      if let old, let target = type.target { type.target = old.currentName(of: target) }
      // Objects inside of this one that cannot be so any more are not to be lost without a word.
      guard
        type == column.type || type.kind == .embedded || column.type.accepts(type)
          || MigrationConversion.isConvertible(from: type, to: column.type)
      else { continue }
      if let value = try value(of: column.name) { values[column.name] = value }
    }
    return values
  }
}
