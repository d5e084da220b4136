import LMDB

/// The tables of a store by name, and its catalogue's tree.
final class StoreTables: Sendable {
  let storeName: String
  let catalogueTree: Database
  let all: [Table]
  /// What the rules of relationships mean for each table, in the order of the tables.
  let rules: [TableRules]
  private let byName: SortedTable<String, Table>
  /// The names of the types that links lead to.
  private let linkedNames: SortedTable<String, String>

  init(storeName: String, catalogueTree: Database, all: [Table]) {
    self.storeName = storeName
    self.catalogueTree = catalogueTree
    self.all = all
    var linkedNames = SortedTable<String, String>()
    for table in all {
      for link in table.links {
        if let target = link.column.type.target { linkedNames[target] = target }
      }
    }
    self.linkedNames = linkedNames
    self.rules = Self.resolveRules(of: all)
    self.byName = SortedTable(all, by: \.name)
    self.hasDerived = all.contains(where: \.hasDerived)
    if hasDerived { resolveDerivations() }
  }

  /// Whether any type has derived properties.
  let hasDerived: Bool

  subscript(name: String) -> Table? { byName[name] }

  /// Whether any table links objects of `table`.
  func hasLinks(to table: Table) -> Bool { linkedNames[table.name] != nil }
}
