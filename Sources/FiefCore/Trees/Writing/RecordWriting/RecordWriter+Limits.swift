import LMDB

/// Checks required links and the limits of relationships.
extension RecordWriter {
  /// The number of notes above which unnecessary notes are removed.
  private static let mostNotes = 1 << 16

  /// Records the relationships that may have too few or too many objects after a change of a record.
  func noteLimits(
    of table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?
  ) throws {
    let rules = tables.rules(of: table)
    if limitedTypes != nil {
      if !rules.limits.isEmpty { limitedTypes?.insert(table.name) }
      for watch in rules.watches { limitedTypes?.insert(tables.all[watch.table].name) }
      return
    }
    if let new {
      for (place, limit) in rules.limits.enumerated() {
        if limit.isStored {
          let count = try Self.count(of: limit.column, in: new, table, tables, transaction)
          if count < limit.minimum || count > limit.maximum { note(LimitNote(table.number, place, key)) }
        } else if old == nil, limit.minimum > 0 || limit.maximum < Int.max {
          note(LimitNote(table.number, place, key))
        }
      }
    }
    for watch in rules.watches {
      try noteTargets(watch, table, old: old, new: new)
    }
  }

  /// Records the objects whose inverse a change has made longer or shorter.
  private func noteTargets(_ watch: TableRules.Watch, _ table: Table, old: RecordView?, new: RecordView?)
    throws
  {
    guard let column = table.links.first(where: { $0.column.id == watch.column })?.column else { return }
    // A changed large collection records its targets itself.
    if try Self.isLarge(column, in: old, table) || Self.isLarge(column, in: new, table) { return }
    guard let old, let new else {
      guard let view = old ?? new else { return }
      return try Self.forEachTarget(of: column, in: view, table) {
        note(LimitNote(watch.table, watch.limit, $0))
      }
    }
    if try Self.haveSameLinks(old, new, column: column.id) { return }
    let before = try Self.targets(of: column, in: old, table)
    let after = try Self.targets(of: column, in: new, table)
    for target in before.symmetricDifference(after) {
      target.withUnsafeBytes { note(LimitNote(watch.table, watch.limit, $0)) }
    }
  }

  /// Records that the number of links to an object has changed by one.
  func noteLimit(ofTarget target: UnsafeRawBufferPointer, along column: UInt16, _ table: Table) {
    for watch in tables.rules(of: table).watches where watch.column == column {
      if limitedTypes != nil {
        limitedTypes?.insert(tables.all[watch.table].name)
      } else {
        note(LimitNote(watch.table, watch.limit, target))
      }
    }
  }

  private func note(_ note: LimitNote) { limitNotes.insert(note) }

  /// Returns the number of objects to which a link column leads.
  static func count(
    of column: ColumnEntry,
    in view: RecordView,
    _ table: Table,
    _ tables: StoreTables,
    _ transaction: LMDB.Transaction
  ) throws -> Int {
    var count = 0
    try table.payload(of: column, in: view) { payload in
      guard let payload else { return }
      if column.type.isOptional {
        try LargeCollection.forEachLink(in: payload, type: column.type, tables: tables, in: transaction) {
          _ in
          count += 1
        }
      } else {
        count = try LargeCollection.count(of: payload, type: column.type, tables: tables, in: transaction)
      }
    }
    return count
  }

  /// Removes the notes of relationships that are valid again if there are many notes. Bytes in pages that
  /// were read before are invalid afterwards.
  func boundLimitNotes() throws {
    guard limitNotes.count > max(Self.mostNotes, 2 * knownViolations) else { return }
    try flushBuffers()
    limitNotes = try limitNotes.filter { try violation($0) != nil }
    knownViolations = limitNotes.count
  }

  /// Checks that no changed relationship has too few or too many objects.
  ///
  /// - Throws: ``FiefError`` of code `validationFailed` with all violations. The transaction must then not be
  ///   committed.
  package func finishLimits() throws {
    if limitNotes.isEmpty { return }
    defer { limitNotes = [] }
    var violations = LimitViolations(store: tables.storeName)
    let notes = limitNotes.sorted { first, second in
      if first.table != second.table { return first.table < second.table }
      if first.key != second.key { return first.key.lexicographicallyPrecedes(second.key) }
      return first.limit < second.limit
    }
    for note in notes { if let violation = try violation(note) { violations.add(violation) } }
    if let error = violations.error { throw error }
  }

  private func violation(_ note: LimitNote) throws -> LimitViolations.Violation? {
    let table = tables.all[Int(note.table)]
    return try note.key.withUnsafeBytes {
      try LimitViolations.find(
        tables.rules[Int(note.table)].limits[Int(note.limit)],
        of: table,
        key: $0,
        tables,
        transaction
      )
    }
  }
}
