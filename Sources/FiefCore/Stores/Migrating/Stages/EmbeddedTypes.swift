/// Searches for embedded types that contain a given kind of column.
enum EmbeddedTypes {
  /// Returns the embedded types with a column that meets a condition, either directly or in the types that
  /// they embed.
  static func containing(
    in tables: StoreTables,
    _ isWanted: (ColumnEntry, Table) throws -> Bool
  ) rethrows -> Set<String> {
    var found: Set<String> = []
    for table in tables.all where table.records == nil {
      if try table.entry.currentColumns.contains(where: { try isWanted($0, table) }) {
        found.insert(table.name)
      }
    }
    var before = -1
    while before != found.count {
      before = found.count
      for table in tables.all where table.records == nil && !found.contains(table.name) {
        let embeds = table.entry.currentColumns.contains {
          $0.type.kind == .embedded && $0.type.target.map(found.contains) == true
        }
        if embeds { found.insert(table.name) }
      }
    }
    return found
  }
}
