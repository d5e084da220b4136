import LMDB

/// The catalogue of a store as it was read, with the tables for it.
final class DynamicSchema: Sendable {
  let catalogue: Catalogue
  let tables: StoreTables
  let types: [DynamicType]
  private let bytes: [UInt8]

  init(store: String, environment: LMDB.Environment) throws {
    guard let bytes = try Self.storedBytes(in: environment) else {
      throw FiefError(
        .damagedStore,
        DynamicStore.noCatalogue,
        store: store,
        path: environment.directory
      )
    }
    self.bytes = bytes
    catalogue = try bytes.withUnsafeBytes { try Catalogue.decode($0) }
    tables = try StoreOpening.openTrees(of: catalogue, store: store, in: environment)
    types = tables.all.map { DynamicType($0) }.sorted { $0.name < $1.name }
  }

  private static func storedBytes(in environment: LMDB.Environment) throws -> [UInt8]? {
    try environment.read { transaction in
      guard let tree = try transaction.database(named: StoreOpening.catalogueTree) else { return nil }
      return try StoreOpening.catalogueKey.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
        return [UInt8](bytes)
      }
    }
  }

  /// Whether a transaction sees the catalogue that this was made of.
  func isCurrent(in transaction: LMDB.Transaction) throws -> Bool {
    try StoreOpening.catalogueKey.withUnsafeBytes { key in
      try transaction.get(tables.catalogueTree, key)?.elementsEqual(bytes) ?? false
    }
  }
}
