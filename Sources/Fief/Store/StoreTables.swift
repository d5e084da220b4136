import LMDB

/// The tables of a store by name, and its catalogue's tree.
final class StoreTables: Sendable {
  let storeName: String
  let catalogueTree: Database
  let all: [Table]
  private let byName: [String: Table]

  init(storeName: String, catalogueTree: Database, all: [Table]) {
    self.storeName = storeName
    self.catalogueTree = catalogueTree
    self.all = all
    self.byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> Table? { byName[name] }

  /// Whether any table links objects of `table`.
  func hasLinks(to table: Table) -> Bool {
    all.contains { source in source.links.contains { $0.column.type.target == table.name } }
  }
}
