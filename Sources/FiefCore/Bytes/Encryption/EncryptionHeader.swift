import LMDB

/// The row of the catalogue's tree with the encryption header of a store; see docs/format.md.
enum EncryptionHeader {
  static let key = Array("encryption".utf8)

  /// Returns the header of a store, or `nil` if the store is not encrypted.
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
  /// Returns the format of a store, or `nil` if there is no catalogue. In every format, the catalogue begins
  /// with the number of the format.
  static func format(_ tree: Database, in transaction: LMDB.Transaction) throws -> UInt32? {
    try key.withUnsafeBytes { key in
      guard let bytes = try transaction.get(tree, key), bytes.count >= 4 else { return nil }
      return UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    }
  }
}
