import LMDB

/// Determines which values a stage of a migration would lose, and which values it drops.
///
/// If values cannot be converted automatically to the new type of a property, the property starts with the
/// class's default in every object. If there were values, the migration ends with an error, unless the block
/// has assigned the property or has declared that the values may be discarded. A property or a type that the
/// classes no longer declare is dropped, and the migration reports this.
struct ValueLoss {
  /// A property of a type, given by the name of its column.
  struct Property: Hashable, CustomStringConvertible {
    let type: String
    let name: String
    var description: String { "\(type).\(name)" }
  }

  private struct Change {
    let property: Property
    let before: ColumnEntry
    let after: ColumnEntry
    /// Whether the type was embedded.
    let isEmbedded: Bool
  }

  let migration: Migration
  let stage: MigrationStage

  /// - Throws: ``FiefError`` of code `migrationFailed` with every property whose values would be lost, or for
  ///   a managed type that the classes no longer have.
  func check() throws {
    try checkManaged()
    let lost = try changes.filter {
      try hasValues(of: $0.before, type: $0.property.type, isEmbedded: $0.isEmbedded)
    }
    guard let first = lost.first else { return }
    throw FiefError(
      .migrationFailed,
      "Properties have new types that their values cannot be converted to; the values would be lost.",
      store: migration.configuration.name,
      details: lost.map { "\($0.property) was changed from \($0.before.type) to \($0.after.type)" } + [
        "assign these properties in the migration block, or discard their values there: "
          + "migration.discard(\"\(first.property)\")"
      ]
    )
  }

  /// Checks that the stage removes no managed type with objects. The application does not see the class in
  /// its own code, so it is easily forgotten.
  private func checkManaged() throws {
    let lost = try SchemaComparison.removals(of: stage.schema, from: stage.stored).filter { removal in
      let type = removal.values.type
      guard removal.column == nil, removal.entry.isManaged, !stage.movedFrom.contains(type),
        !stage.deletedTypes.contains(type), let records = stage.old.table(type)?.records
      else { return false }
      return try stage.old.transaction.count(records) > 0
    }.map(\.values.type)
    guard let first = lost.first else { return }
    throw FiefError(
      .migrationFailed,
      "The classes no longer include types that a product manages; their objects would be lost.",
      store: migration.configuration.name,
      type: first,
      details: ["add the product's classes to objectTypes, or delete the objects in the migration block:"]
        + lost.map { "migration.deleteData(forType: \"\($0)\")" }
    )
  }

  /// Returns the values whose property or type was removed.
  ///
  /// Values that the block has read are not included, because the block has probably stored them elsewhere.
  func dropped() throws -> [DroppedValues] {
    try SchemaComparison.removals(of: stage.schema, from: stage.stored).filter(isDropped).map(\.values)
  }

  private func isDropped(_ removal: SchemaComparison.Removal) throws -> Bool {
    let (type, id) = (removal.values.type, removal.entry.id)
    guard let column = removal.column else {
      if stage.movedFrom.contains(type) || stage.deletedTypes.contains(type) || stage.hasRead(anyOf: id) {
        return false
      }
      guard let records = stage.old.table(type)?.records else { return false }
      return try stage.old.transaction.count(records) > 0
    }
    if stage.hasRead(column.id, of: id) { return false }
    if stage.discarded.contains(Property(type: type, name: column.name)) { return false }
    return try hasValues(
      of: column,
      type: type,
      isEmbedded: removal.entry.isEmbedded,
      most: Self.mostLookedAt
    )
  }

  /// The number of objects that are searched for a value of a dropped property. If there are more objects and
  /// no value was found, the property is assumed to have values, because removing a property must not require
  /// reading all objects.
  private static let mostLookedAt = 10_000

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

  /// Whether no automatic conversion exists from one type to another.
  static func losesValues(from: ColumnType, to: ColumnType) -> Bool {
    from.isStored && to.isStored && !from.isReadable(as: to)
      && !MigrationConversion.isConvertible(from: from, to: to)
  }

  /// Whether the linked or embedded objects are moved together with the property.
  private func movesLinks(from: ColumnType, to: ColumnType) -> Bool {
    guard from.container == to.container, let source = from.target, let target = to.target else {
      return false
    }
    if from.isLink, to.isLink { return source != target && stage.movedFrom.contains(source) }
    return source == target
      && (stage.working.promoted.contains(target) || stage.working.demoted.contains(target))
  }

  private func hasValues(of column: ColumnEntry, type name: String, isEmbedded: Bool, most: Int = .max) throws
    -> Bool
  {
    guard let table = stage.old.table(name) else { return false }
    if !isEmbedded { return try hasValues(of: column, in: table, name: name, most: most) }
    let id = column.id
    let containing = EmbeddedTypes.containing(in: stage.old.tables) { column, other in
      other.entry.id == table.entry.id && column.id == id
    }
    let finder = EmbeddedFinder(
      tables: stage.old.tables,
      table: table.entry.id,
      column: id,
      containing: containing
    )
    for owner in stage.old.tables.all where owner.records != nil && finder.canHold(owner) {
      let isFound = try contains(owner, name: stage.old.currentName(of: owner.name), most: most) {
        record,
        _ in
        try finder.find(in: record, of: owner)
      }
      if isFound { return true }
    }
    return false
  }

  private func hasValues(of column: ColumnEntry, in table: Table, name: String, most: Int) throws -> Bool {
    guard let old = table.entry.column(column.id) else { return false }
    return try contains(table, name: name, most: most) { record, key in
      var isFound = false
      try table.payload(of: old, in: try table.view(record), key: key) { payload in
        isFound = try payload.map { try old.holdsValue($0) } ?? false
      }
      return isFound
    }
  }

  /// Returns whether an old object that still exists meets a condition. Also returns `true` if more than
  /// `most` objects would have to be searched.
  private func contains(
    _ table: Table,
    name: String,
    most: Int,
    _ condition: (_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    let transaction = migration.writer.transaction
    guard let records = table.records, let current = migration.table(name)?.records,
      try transaction.count(current) > 0
    else { return false }
    var stream = try stage.old.stream(of: table, records)
    var left = most
    while let (key, record) = try stream.next() {
      if left == 0 { return true }
      left -= 1
      let isFound = try key.withUnsafeBytes { key in
        try record.withUnsafeBytes { record in
          guard try condition(record, key) else { return false }
          // If the block has deleted or moved an object, its values are not lost with the type.
          return try transaction.get(current, key) != nil
        }
      }
      if isFound { return true }
    }
    return false
  }
}

/// Searches for values of a column in embedded objects, at any depth.
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
  /// Whether a payload is a value other than an empty collection.
  fileprivate func holdsValue(_ payload: UnsafeRawBufferPointer) throws -> Bool {
    type.container == .none ? true : try CollectionPayload.count(payload) > 0
  }
}

extension Migration {
  /// Declares that the values of a property may be discarded when its type changes or it is removed.
  ///
  /// When a type changes, values are kept if the new type can represent all of them: integers as wider
  /// integers and as `Double`, `Float` as `Double`, all of these as `Decimal`, and numbers, `UUID` and
  /// `ObjectId` as `String`, also in lists, sets, maps and primary keys. Any other change ends the migration
  /// with an error, unless the block assigns the property or calls this method. Properties whose values are
  /// converted keep their values. For a removed property, this call suppresses the
  /// ``StoreEvent/droppedValues(store:_:)`` event.
  ///
  /// ```swift
  /// migration.discard("Ticket.priority")
  /// ```
  /// - Parameter property: the name of the type, a dot, and the name of the property, as in the new or the
  ///   old schema. A name that neither schema has ends the migration with an error.
  public func discard(_ property: String) {
    attempt(()) { stage in
      let parts = property.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let type = parts.first.map(String.init), let name = parts.dropFirst().first.map(String.init)
      else {
        throw FiefError(
          .unknownProperty,
          "discard takes a type and its property, such as Ticket.priority.",
          store: configuration.name,
          property: property
        )
      }
      let declared = stage.descriptor(type)?.properties.first { $0.name == name || $0.column == name }
      let column = declared?.column ?? name
      guard declared != nil || stage.old.table(type)?.entry.column(named: column) != nil else {
        throw FiefError(
          .unknownProperty,
          "The property whose values to discard does not exist.",
          store: configuration.name,
          type: type,
          property: name
        )
      }
      stage.discarded.insert(ValueLoss.Property(type: type, name: column))
    }
  }
}
