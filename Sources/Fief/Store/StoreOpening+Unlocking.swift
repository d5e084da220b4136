import LMDB

/// The key of a store that is opened.
extension StoreOpening {
  /// Lets an environment read and write the values of an encrypted store; of one in clear nothing changes.
  ///
  /// A store that has nothing yet is going to be encrypted where there is a key: ``Migrator`` writes the header in its first commit.
  ///
  /// - Parameters:
  ///   - encryption: the key; nil where there is none.
  ///   - mayBeClear: whether a store in clear is left as it is where there is a key.
  /// - Throws: ``FiefError`` of code `encrypted` without a key, `wrongKey`, `invalidKey`, `notEncrypted`.
  static func unlock(
    _ environment: LMDB.Environment,
    _ encryption: StoreEncryption?,
    store: String,
    mayBeClear: Bool = false
  ) throws {
    let found = try environment.read { transaction -> (isStore: Bool, header: [UInt8]?) in
      guard let tree = try transaction.database(named: Catalogue.treeName) else { return (false, nil) }
      let header = try EncryptionHeader.stored(tree, in: transaction)
      let format = try Catalogue.format(tree, in: transaction) ?? 0
      if format > Catalogue.newestFormat { throw Catalogue.tooNew(format) }
      guard (header != nil) == (format == Catalogue.encryptedFormat) else {
        throw FiefError(
          .damagedStore,
          "The header of the encrypted store is missing, or one of a store in clear."
        )
      }
      return (true, header)
    }
    if let header = found.header {
      guard let encryption else { throw noKey(store) }
      let sealer = StoreSealer(try encryption.keys.unlock(header, ofStore: store), header: header)
      guard let known = try environment.seal(with: sealer) as? StoreSealer, known.hasSameKeys(as: sealer)
      else {
        throw FiefError(
          .storeInUse,
          "The process has the store open with other data keys; close it first.",
          store: store
        )
      }
      // Another process may have changed the key since the store was opened here.
      known.header = header
    } else if let encryption {
      if !found.isStore {
        // A store that another process makes meanwhile has another header, which is found when this one is written.
        let header = try encryption.keys.makeHeader(ofStore: store)
        let cipher = try encryption.keys.unlock(header, ofStore: store)
        _ = try environment.seal(with: StoreSealer(cipher, header: header))
      } else if !mayBeClear {
        throw FiefError(
          .notEncrypted,
          "The store is not encrypted, and was opened with a key; encryptsClearStore of its options encrypts it.",
          store: store,
          path: environment.directory
        )
      }
    }
  }

  /// Another process has made the store, or changed its key, after this one has looked for its header: it is to be opened again.
  struct MadeMeanwhile: Error {}

  /// Looks whether what seals the values is what the header of a store says.
  ///
  /// - Throws: ``MadeMeanwhile``.
  static func checkHeader(_ environment: LMDB.Environment, of catalogue: Catalogue) throws {
    // Nothing more is read of a store in clear.
    var isSame = (environment.sealing != nil) == (catalogue.format == Catalogue.encryptedFormat)
    if isSame, environment.sealing != nil {
      isSame = try environment.read { transaction in
        guard let tree = try transaction.database(named: Catalogue.treeName) else { return false }
        return try isSealedAsStored(tree, in: transaction)
      }
    }
    if !isSame { throw MadeMeanwhile() }
  }

  /// Whether the data keys are those of the header; true for a store in clear without any.
  static func isSealedAsStored(_ tree: Database, in transaction: LMDB.Transaction) throws -> Bool {
    (transaction.sealing as? StoreSealer)?.header == (try EncryptionHeader.stored(tree, in: transaction))
  }

  static func noKey(_ store: String) -> FiefError {
    FiefError(
      .encrypted,
      "The store is encrypted, and was opened without a key: set encryption of its options, with the product FiefEncryption.",
      store: store
    )
  }
}
