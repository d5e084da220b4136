import FiefCore
import LMDB

/// The catalogue of a store as it was read, and the tables created from it.
final class DynamicSchema: Sendable {
  let catalogue: Catalogue
  let tables: StoreTables
  let types: [DynamicType]
  private let bytes: [UInt8]
  /// The fingerprint of the Unicode tables with which the store's indexes were built.
  private let unicode: UInt64?
  /// Whether the store uses different Unicode tables than this process. Indexes that depend on them are then
  /// missing from `tables`, and nothing can be written.
  let hasOtherUnicode: Bool

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
    unicode = try environment.read { transaction in
      try transaction.database(named: Catalogue.treeName).flatMap {
        try UnicodeTables.stored($0, in: transaction)
      }
    }
    hasOtherUnicode = UnicodeTables.serve(catalogue) && unicode != UnicodeTables.fingerprint
    tables = try StoreOpening.openTrees(
      of: catalogue,
      store: store,
      in: environment,
      usesUnicodeIndexes: !hasOtherUnicode
    )
    types = tables.all.map { DynamicType($0) }.sorted { $0.name < $1.name }
  }

  private static func storedBytes(in environment: LMDB.Environment) throws -> [UInt8]? {
    try environment.read { transaction in
      guard let tree = try transaction.database(named: Catalogue.treeName) else { return nil }
      return try Catalogue.key.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
        return [UInt8](bytes)
      }
    }
  }

  /// Returns whether a transaction has the same catalogue as this schema.
  func isCurrent(in transaction: LMDB.Transaction) throws -> Bool {
    let isSame = try Catalogue.key.withUnsafeBytes { key in
      try transaction.get(tables.catalogueTree, key)?.elementsEqual(bytes) ?? false
    }
    guard isSame, UnicodeTables.serve(catalogue) else { return isSame }
    return try UnicodeTables.stored(tables.catalogueTree, in: transaction) == unicode
  }
}
