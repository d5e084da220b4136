import LMDB

/// Completes a stage by changing from the block's working schema to the declared one. Objects get their new
/// keys, links are updated, and objects that become embedded move into their owners.
struct StageCompletion {
  let migration: Migration
  let stage: MigrationStage

  private var working: WorkingSchema { stage.working }

  /// - Returns: the catalogue of the stage's schema.
  func run() throws -> Catalogue {
    let catalogue = try finalCatalogue()
    guard needsRewriting else { return catalogue }
    let before = migration.writer.tables
    let after = try migration.tables(of: catalogue, formerKeys: [:])
    let rekeying = Rekeying(migration: migration, stage: stage, before: before, after: after)
    for name in working.rekeyed.sorted() { try rekeying.mapKeys(of: name) }
    let transform = try CompletionTransform(migration: migration, stage: stage, before: before, after: after)
    migration.writer.tables = after
    for table in after.all where !working.rekeyed.contains(table.name) {
      try transform.follow(in: table)
    }
    for name in working.rekeyed.sorted() { try rekeying.move(name, with: transform) }
    try migration.writer.flushTrees()
    for name in working.demoted.sorted() { try checkUnlinked(name, before: before) }
    return catalogue
  }

  private var needsRewriting: Bool {
    if !working.rekeyed.isEmpty || !working.demoted.isEmpty || !stage.movedFrom.isEmpty { return true }
    return working.catalogue.types.contains { $0.columns.contains(where: WorkingSchema.isPending) }
  }

  private func finalCatalogue() throws -> Catalogue {
    var result = working.catalogue
    for descriptor in stage.schema.descriptors {
      guard let index = result.types.firstIndex(where: { $0.name == descriptor.name }) else { continue }
      if working.rekeyed.contains(descriptor.name) {
        // All objects are rewritten, so only the rules of the old entry are needed.
        let former = result.types.remove(at: index)
        try result.add(descriptor, inPlaceOf: former)
      } else {
        try complete(&result.types[index], descriptor)
      }
    }
    return result
  }

  private func complete(_ entry: inout TypeEntry, _ descriptor: ObjectDescriptor) throws {
    for index in entry.columns.indices where entry.columns[index].name.utf8.contains(0) {
      // Columns with a temporary name for the stage get the name of their property again.
      entry.columns[index].isDropped = true
      let parts = entry.columns[index].name.split(separator: "\u{0}")
      entry.columns[index].name = parts.first.map(String.init) ?? ""
    }
    for property in descriptor.properties where property.type.kind == .embedded {
      guard let index = entry.columns.firstIndex(where: { $0.name == property.column && !$0.isDropped }),
        entry.columns[index].type.isLink
      else { continue }
      entry.columns[index].isDropped = true
      _ = try entry.addColumn(for: property)
    }
    if working.demoted.contains(entry.name) {
      entry.isEmbedded = true
      entry.tree = ""
    }
    entry.updateRules(to: descriptor)
    try entry.addLayout()
  }

  /// - Throws: ``FiefError`` of code `migrationFailed` if objects without an owner would be lost.
  private func checkUnlinked(_ name: String, before: StoreTables) throws {
    guard !stage.unlinkedAllowed.contains(name), let records = before[name]?.records else { return }
    let transaction = migration.writer.transaction
    var keys: [String] = []
    var stream = try RecordStream(records, of: transaction)
    while keys.count < 20, let (key, _) = try stream.next() {
      let isLinked = try key.withUnsafeBytes {
        try migration.temporary.value($0, in: CompletionTransform.linkedTree(of: name)) != nil
      }
      if !isLinked { keys.append("not linked: " + HiddenValue.text(before[name]?.text(ofKey: key) ?? "?")) }
    }
    if keys.isEmpty { return }
    throw FiefError(
      .migrationFailed,
      "Objects of a type that becomes embedded have no owner; delete them or call deleteUnlinkedObjects.",
      store: migration.configuration.name,
      type: name,
      details: keys
    )
  }
}
