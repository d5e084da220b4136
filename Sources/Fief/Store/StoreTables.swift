import LMDB

/// The tables of a store by name, and its catalogue's tree.
final class StoreTables: Sendable {
  let storeName: String
  let catalogueTree: Database
  let all: [Table]
  /// What the rules of relationships mean for each table, in the order of the tables.
  let rules: [TableRules]
  private let byName: SortedTable<String, Table>

  init(storeName: String, catalogueTree: Database, all: [Table]) {
    self.storeName = storeName
    self.catalogueTree = catalogueTree
    self.all = all
    self.rules = Self.resolveRules(of: all)
    self.byName = SortedTable(all, by: \.name)
    self.hasDerived = all.contains(where: \.hasDerived)
    if hasDerived { resolveDerivations() }
  }

  /// Whether any type has derived properties.
  let hasDerived: Bool

  subscript(name: String) -> Table? { byName[name] }

  /// What the rules of relationships mean for a table. In a migration it may be one of the schema before.
  func rules(of table: Table) -> TableRules {
    if table.number < all.count, all[table.number] === table { return rules[table.number] }
    return all.firstIndex { $0.name == table.name }.map { rules[$0] } ?? TableRules()
  }
}
