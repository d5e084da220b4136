import LMDB

/// The tables of a store by name, and its catalogue's tree.
final class StoreTables: Sendable {
  let storeName: String
  let catalogueTree: Database
  let all: [Table]
  private let byName: [String: Table]
  /// The names of the types that links lead to.
  private let linkedNames: Set<String>

  init(storeName: String, catalogueTree: Database, all: [Table]) {
    self.storeName = storeName
    self.catalogueTree = catalogueTree
    self.all = all
    self.linkedNames = Set(all.flatMap { $0.links.compactMap(\.column.type.target) })
    self.byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> Table? { byName[name] }

  /// Whether any table links objects of `table`.
  func hasLinks(to table: Table) -> Bool { linkedNames.contains(table.name) }
}
