import LMDB

/// Resolves the sources of the derived properties of a store's types.
extension StoreTables {
  /// A group whose columns are still being collected.
  private struct Draft {
    let owner: Table
    let member: Table
    let link: Table.LinkColumn
    let isInverse: Bool
    var columns: [DerivedColumn] = []
  }

  /// Assigns each table its derived properties, and the derived properties of other tables that depend on it.
  func resolveDerivations() {
    var columns = [[DerivedColumn]](repeating: [], count: all.count)
    var drafts: [Draft] = []
    for (number, table) in all.enumerated() where table.hasDerived {
      var slots = 0
      for entry in table.entry.derived { columns[number].append(resolve(entry, table, &slots, &drafts)) }
    }
    let groups = drafts.enumerated().map { number, draft in
      DerivedGroup(
        number: number,
        owner: draft.owner,
        member: draft.member,
        link: draft.link,
        isInverse: draft.isInverse,
        columns: draft.columns
      )
    }
    for (number, table) in all.enumerated() {
      let owned = groups.filter { $0.owner === table }
      let watched = groups.filter { $0.member === table && ($0.isInverse || $0.hasValues) }
      if columns[number].isEmpty, watched.isEmpty { continue }
      table.derivations = TableDerivations(
        number: number,
        columns: columns[number],
        owned: owned,
        watched: watched
      )
    }
  }

  /// Returns the derived property of a catalogue entry, and adds it to a group if it is computed from other
  /// objects. If the path is invalid, as in a manipulated catalogue, the property has no group, and its value
  /// is the value of an object without members.
  private func resolve(
    _ entry: DerivedEntry,
    _ table: Table,
    _ slots: inout Int,
    _ drafts: inout [Draft]
  ) -> DerivedColumn {
    let column = table.entry.column(entry.column) ?? Self.noColumn
    let source = entry.source.flatMap { table.entry.column($0) }
    guard entry.kind.isOfRelationship, let source, let other = source.type.target.flatMap({ self[$0] }) else {
      return DerivedColumn(entry, column: column, source: source)
    }
    let isInverse = source.type.kind == .linkingObjects
    // The record of an object contains the number of its links.
    if !isInverse, entry.kind == .count { return DerivedColumn(entry, column: column, source: source) }
    let link =
      isInverse
      ? Self.link(ofInverse: source, of: table, in: other) : table.links.first { $0.column.id == source.id }
    let value = entry.target.flatMap { other.entry.column(named: $0) }
    guard let link, value != nil || entry.kind == .count else {
      return DerivedColumn(entry, column: column, source: source)
    }
    let derived = DerivedColumn(
      entry,
      column: column,
      source: source,
      value: value.map { DerivedSource($0) },
      slot: slots
    )
    slots += 1
    if let known = drafts.firstIndex(where: {
      $0.owner === table && $0.link === link && $0.isInverse == isInverse
    }) {
      drafts[known].columns.append(derived)
    } else {
      drafts.append(
        Draft(owner: table, member: other, link: link, isInverse: isInverse, columns: [derived])
      )
    }
    return derived
  }

  /// Returns the link whose inverse a column is. The same rule applies as for ``TableRules``.
  private static func link(ofInverse column: ColumnEntry, of table: Table, in other: Table) -> Table
    .LinkColumn?
  {
    let links = other.links.filter { $0.column.type.target == table.name }
    return links.first { $0.column.name == column.originProperty } ?? (links.count == 1 ? links[0] : nil)
  }

  private static let noColumn = ColumnEntry(id: .max, name: "?", type: ColumnType(.int64))
}
