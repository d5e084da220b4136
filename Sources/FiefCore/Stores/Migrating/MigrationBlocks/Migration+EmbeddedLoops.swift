/// Loops over all embedded objects of a type, in objects of any type and at any depth.
extension Migration {
  /// Calls a closure with each embedded object of a type; see ``enumerateObjects(ofType:_:)``.
  func enumerateEmbedded(
    _ name: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    guard let loop = attempt(nil, { EmbeddedLoop(name, $0, writer.tables) as EmbeddedLoop? }) else { return }
    for owner in loop.owners {
      try enumerateObjects(ofType: owner) { try visitParts(of: $0, $1, loop, block) }
    }
  }

  /// Whether a type is embedded both in the old and in the new schema.
  func isEmbedded(_ name: String) -> Bool {
    attempt(false) { stage in
      let tables = [stage.old.table(name), table(name)].compactMap(\.self)
      return !tables.isEmpty && tables.allSatisfy { $0.entry.isEmbedded }
    }
  }

  private func visitParts(
    of old: MigrationObject?,
    _ new: MigrationObject?,
    _ loop: EmbeddedLoop,
    _ block: (MigrationObject?, MigrationObject?) throws -> Void
  ) rethrows {
    for (before, now) in loop.columns(of: old, new) {
      let former = attempt(nil) { _ in try before.flatMap { try old?.value(of: $0.name) } }
      let current = attempt(nil) { _ in try now.flatMap { try new?.value(of: $0.name) } }
      for (oldPart, newPart) in EmbeddedLoop.parts(of: former, current) {
        if loop.isOfType(before, now) { try block(oldPart, newPart) }
        try visitParts(of: oldPart, newPart, loop, block)
      }
      // A single embedded object is assigned to its owner when it changes. Embedded objects of a collection
      // are assigned together with the collection.
      guard let now, let new, now.type.container != .none else { continue }
      let isChanged = EmbeddedLoop.parts(of: nil, current).contains { $0.new?.assigned.isEmpty == false }
      if isChanged { attempt(()) { _ in try new.set(current, now.name) } }
    }
  }
}

/// The properties that contain embedded objects of a type.
private struct EmbeddedLoop {
  private let typeName: String
  private let formerName: String
  /// The embedded types that are the type itself or contain objects of it.
  private let containing: Set<String>
  private let formerContaining: Set<String>
  private let stage: MigrationStage
  /// The types whose objects contain such embedded objects.
  let owners: [String]

  init(_ name: String, _ stage: MigrationStage, _ tables: StoreTables) {
    typeName = name
    let former = stage.old.formerNames[name] ?? name
    formerName = former
    self.stage = stage
    let now = Self.containing(name, in: tables)
    let before = Self.containing(former, in: stage.old.tables)
    containing = now
    formerContaining = before
    var owners: [String] = []
    for table in stage.old.tables.all where Self.hasParts(table, before) {
      owners.append(stage.old.currentName(of: table.name))
    }
    for table in tables.all where Self.hasParts(table, now) && !owners.contains(table.name) {
      owners.append(table.name)
    }
    self.owners = owners
  }

  private static func containing(_ name: String, in tables: StoreTables) -> Set<String> {
    EmbeddedTypes.containing(in: tables) { column, _ in
      column.type.kind == .embedded && column.type.target == name
    }.union([name])
  }

  private static func hasParts(_ table: Table, _ containing: Set<String>) -> Bool {
    !table.entry.isEmbedded && table.entry.currentColumns.contains { leads($0, to: containing) }
  }

  private static func leads(_ column: ColumnEntry, to containing: Set<String>) -> Bool {
    column.type.kind == .embedded && !WorkingSchema.isPending(column)
      && column.type.target.map(containing.contains) == true
  }

  /// Returns the columns that contain such embedded objects, each in its old and its new form.
  func columns(of old: MigrationObject?, _ new: MigrationObject?) -> [(old: ColumnEntry?, new: ColumnEntry?)]
  {
    var before = old?.table?.entry.currentColumns.filter { Self.leads($0, to: formerContaining) } ?? []
    let now = new?.table?.entry.currentColumns.filter { Self.leads($0, to: containing) } ?? []
    var columns: [(old: ColumnEntry?, new: ColumnEntry?)] = now.map { column in
      // A renamed column keeps its number, and a column with converted values keeps its name.
      let index =
        before.firstIndex { $0.id == column.id && isSame($0, column) }
        ?? before.firstIndex { $0.name == column.name && isSame($0, column) }
      return (index.map { before.remove(at: $0) }, column)
    }
    columns += before.map { ($0, nil) }
    return columns
  }

  private func isSame(_ old: ColumnEntry, _ new: ColumnEntry) -> Bool {
    old.type.container == new.type.container
      && old.type.target.map(stage.old.currentName(of:)) == new.type.target
  }

  /// Whether a column contains objects of the type itself, rather than objects that contain them.
  func isOfType(_ old: ColumnEntry?, _ new: ColumnEntry?) -> Bool {
    new.map { $0.type.target == typeName } ?? (old?.type.target == formerName)
  }

  /// Returns the objects in a value of a property, each with its former state. Objects are matched by their
  /// position in a list or their key in a map.
  static func parts(of old: Any?, _ new: Any?) -> [(old: MigrationObject?, new: MigrationObject?)] {
    let now = byPlace(new)
    var before = Dictionary(byPlace(old)) { first, _ in first }
    let parts = now.map { place, part in
      (old: before.removeValue(forKey: place), new: part as MigrationObject?)
    }
    return parts + before.sorted { $0.key < $1.key }.map { ($0.value, nil) }
  }

  private static func byPlace(_ value: Any?) -> [(place: String, part: MigrationObject)] {
    switch value {
    case let part as MigrationObject: return [("", part)]
    case let parts as [String: Any?]:
      return parts.sorted { $0.key < $1.key }.compactMap { entry in
        (entry.value as? MigrationObject).map { (entry.key, $0) }
      }
    case let parts as [Any?]:
      return parts.enumerated().compactMap { index, part in
        (part as? MigrationObject).map { ("\(index)", $0) }
      }
    default: return []
    }
  }
}
