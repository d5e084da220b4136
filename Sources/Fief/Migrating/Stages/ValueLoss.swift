import LMDB

/// The values that a stage of a migration would lose with the types of their properties.
///
/// A property whose new type cannot be made from the old one by itself begins with the class's default in every object.
/// That ends the migration where there were values, unless its block has assigned the property or has said that the
/// values are not needed.
struct ValueLoss {
  /// A property of a type, by the name of its column.
  struct Property: Hashable, CustomStringConvertible {
    let type: String
    let name: String
    var description: String { "\(type).\(name)" }
  }

  private struct Change {
    let property: Property
    let before: ColumnEntry
    let after: ColumnEntry
    /// Whether the type was one of embedded objects.
    let isEmbedded: Bool
  }

  let migration: Migration
  let stage: MigrationStage

  /// - Throws: ``FiefError`` of code `migrationFailed` with every property whose values would be lost.
  func check() throws {
    let lost = try changes.filter(hasValues)
    guard let first = lost.first else { return }
    throw FiefError(
      .migrationFailed,
      "Properties have got types that their values cannot be converted to; the values would be lost.",
      store: migration.configuration.name,
      details: lost.map { "\($0.property) was changed from \($0.before.type) to \($0.after.type)" } + [
        "assign these properties in the migration block, or say there that their values are not needed: "
          + "migration.discard(\"\(first.property)\")"
      ]
    )
  }

  private var changes: [Change] {
    var result: [Change] = []
    for entry in stage.working.catalogue.types {
      guard let old = stage.stored.type(named: entry.name) else { continue }
      for column in entry.currentColumns where !WorkingSchema.isPending(column) {
        guard let before = old.column(named: column.name), before.id != column.id,
          Self.losesValues(from: before.type, to: column.type),
          !movesLinks(from: before.type, to: column.type)
        else { continue }
        let property = Property(type: entry.name, name: column.name)
        if stage.assigned.contains(UInt64(entry.id) << 16 | UInt64(column.id)) { continue }
        if stage.discarded.contains(property) { continue }
        result.append(Change(property: property, before: before, after: column, isEmbedded: old.isEmbedded))
      }
    }
    return result
  }

  /// Whether nothing takes values over from one type to another.
  static func losesValues(from: ColumnType, to: ColumnType) -> Bool {
    from.isStored && to.isStored && !from.isReadable(as: to)
      && !MigrationConversion.isConvertible(from: from, to: to)
  }

  /// Whether the objects that are linked or embedded go where the property has them.
  private func movesLinks(from: ColumnType, to: ColumnType) -> Bool {
    guard from.container == to.container, let source = from.target, let target = to.target else {
      return false
    }
    if from.isLink, to.isLink { return source != target && stage.movedFrom.contains(source) }
    return source == target
      && (stage.working.promoted.contains(target) || stage.working.demoted.contains(target))
  }

  private func hasValues(_ change: Change) throws -> Bool {
    let name = change.property.type
    guard let table = stage.old.table(name) else { return false }
    if !change.isEmbedded { return try hasValues(of: change.before, in: table, name: name) }
    let containing = EmbeddedTypes.containing(in: stage.old.tables) { column, other in
      other.entry.id == table.entry.id && column.id == change.before.id
    }
    let finder = EmbeddedFinder(
      tables: stage.old.tables,
      table: table.entry.id,
      column: change.before.id,
      containing: containing
    )
    for owner in stage.old.tables.all where owner.records != nil && finder.canHold(owner) {
      let isFound = try contains(owner, name: stage.old.currentName(of: owner.name)) { record, _ in
        try finder.find(in: record, of: owner)
      }
      if isFound { return true }
    }
    return false
  }

  private func hasValues(of column: ColumnEntry, in table: Table, name: String) throws -> Bool {
    guard let old = table.entry.column(column.id) else { return false }
    return try contains(table, name: name) { record, key in
      var isFound = false
      try table.payload(of: old, in: try table.view(record), key: key) { payload in
        isFound = try payload.map { try old.holdsValue($0) } ?? false
      }
      return isFound
    }
  }

  /// Whether an old object that is still there fulfils a condition.
  private func contains(
    _ table: Table,
    name: String,
    _ condition: (_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    guard let records = table.records else { return false }
    let current = migration.table(name)
    var stream = try stage.old.stream(of: table, records)
    while let (key, record) = try stream.next() {
      let isFound = try key.withUnsafeBytes { key in
        try record.withUnsafeBytes { record in
          guard try condition(record, key) else { return false }
          // The values of an object that the block has deleted or moved are not lost with the type.
          guard let records = current?.records else { return false }
          return try migration.writer.transaction.get(records, key) != nil
        }
      }
      if isFound { return true }
    }
    return false
  }
}

/// Looks for values of a column in embedded objects, at any depth.
private struct EmbeddedFinder {
  let tables: StoreTables
  let table: UInt32
  let column: UInt16
  /// The embedded types that have the column, or embed a type that has it.
  let containing: Set<String>

  func canHold(_ table: Table) -> Bool {
    table.entry.currentColumns.contains { leads($0) }
  }

  private func leads(_ column: ColumnEntry) -> Bool {
    column.type.kind == .embedded && column.type.target.map(containing.contains) == true
  }

  func find(in record: UnsafeRawBufferPointer, of table: Table) throws -> Bool {
    let view = try table.view(record)
    var isFound = false
    for column in table.entry.currentColumns where !isFound {
      if table.entry.id == self.table, column.id == self.column {
        try table.payload(of: column, in: view) {
          isFound = try $0.map { try column.holdsValue($0) } ?? false
        }
      } else if leads(column), let target = column.type.target.flatMap({ tables[$0] }) {
        try table.payload(of: column, in: view) { payload in
          guard let payload else { return }
          if column.type.container == .none {
            isFound = try find(in: payload, of: target)
          } else {
            try CollectionPayload.forEach(payload, type: column.type) { _, element in
              if let element, !isFound { isFound = try find(in: element, of: target) }
            }
          }
        }
      }
    }
    return isFound
  }
}

extension ColumnEntry {
  /// Whether a payload is more than an empty collection.
  fileprivate func holdsValue(_ payload: UnsafeRawBufferPointer) throws -> Bool {
    type.container == .none ? true : try CollectionPayload.count(payload) > 0
  }
}

extension Migration {
  /// Says that the values of a property whose type has changed are not needed.
  ///
  /// Values whose type has changed are kept where the new type can express all of them: integers as wider ones and as
  /// `Double`, `Float` as `Double`, all of these as `Decimal`, numbers, `UUID` and `ObjectId` as `String`, also in
  /// lists, sets, maps and primary keys. Any other change ends the migration with an error, unless the block assigns the
  /// property or says this. Properties whose values are converted keep them.
  ///
  /// ```swift
  /// migration.discard("Ticket.priority")
  /// ```
  /// - Parameter property: the name of the type, a dot, and the name of the property, as the new schema or
  ///   the old one has them. A name that neither has ends the migration with an error.
  public func discard(_ property: String) {
    attempt(()) { stage in
      let parts = property.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let type = parts.first.map(String.init), let name = parts.dropFirst().first.map(String.init)
      else {
        throw FiefError(
          .unknownProperty,
          "What is to be discarded is a type and its property, as in Ticket.priority.",
          store: configuration.name,
          property: property
        )
      }
      let declared = stage.descriptor(type)?.properties.first { $0.name == name || $0.column == name }
      let column = declared?.column ?? name
      guard declared != nil || stage.old.table(type)?.entry.column(named: column) != nil else {
        throw FiefError(
          .unknownProperty,
          "There is no such property whose values could be discarded.",
          store: configuration.name,
          type: type,
          property: name
        )
      }
      stage.discarded.insert(ValueLoss.Property(type: type, name: column))
    }
  }
}
