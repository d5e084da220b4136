import LMDB

/// The row of the catalogue's tree that says with what a store is encrypted; see docs/format.md.
enum EncryptionHeader {
  static let key = Array("encryption".utf8)

  /// The header of a store; nil where it is not encrypted.
  static func stored(_ tree: Database, in transaction: LMDB.Transaction) throws -> [UInt8]? {
    try key.withUnsafeBytes { key throws in try transaction.get(tree, key).map { Array($0) } }
  }

  static func store(
    _ header: [UInt8]?,
    _ tree: Database,
    in transaction: LMDB.WritableTransaction
  ) throws {
    try key.withUnsafeBytes { key throws in
      guard let header else {
        _ = try transaction.delete(tree, key)
        return
      }
      try header.withUnsafeBytes { header throws in try transaction.put(tree, key, header) }
    }
  }
}

extension Catalogue {
  /// The format of a store, which is at the beginning of the catalogue in every format; nil where there is no catalogue.
  static func format(_ tree: Database, in transaction: LMDB.Transaction) throws -> UInt32? {
    try key.withUnsafeBytes { key in
      guard let bytes = try transaction.get(tree, key), bytes.count >= 4 else { return nil }
      return UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    }
  }
}
