import LMDB

extension Migration {
  /// Checks that no relationship has too few or too many objects, for types with a new or stricter rule and
  /// for types whose objects or relationships the stage has changed.
  ///
  /// - Throws: ``FiefError`` of code `validationFailed` that lists the violations.
  func checkLimits(of stage: MigrationStage) throws {
    let touched = writer.limitedTypes ?? []
    let tables = writer.tables
    var violations = LimitViolations(store: configuration.name)
    for table in tables.all {
      let limits = tables.rules[table.number].limits
      guard !limits.isEmpty, let records = table.records else { continue }
      guard touched.contains(table.name) || stage.isRewritten || stage.hasStricterRules(table) else {
        continue
      }
      var stream = try RecordStream(records, of: writer.transaction)
      while let (key, _) = try stream.next() {
        try key.withUnsafeBytes { key in
          for limit in limits {
            let violation = try LimitViolations.find(limit, of: table, key: key, tables, writer.transaction)
            if let violation { violations.add(violation) }
          }
        }
      }
    }
    if let error = violations.error { throw error }
  }
}

extension MigrationStage {
  /// Whether objects were changed without the writer.
  fileprivate var isRewritten: Bool {
    !working.rekeyed.isEmpty || !working.demoted.isEmpty || !working.promoted.isEmpty || !movedFrom.isEmpty
      || working.catalogue.types.contains { $0.columns.contains(where: WorkingSchema.isPending) }
  }

  /// Whether objects that were valid before may be invalid now.
  fileprivate func hasStricterRules(_ table: Table) -> Bool {
    guard let before = stored.type(named: table.name) else { return true }
    return table.entry.relationships.contains { rule in
      guard let old = before.relationships.first(where: { $0.column == rule.column }) else {
        return rule.minimum > 0 || rule.maximum != nil
      }
      return rule.name(in: table.entry).isStricter(than: old.name(in: before))
    }
  }
}
