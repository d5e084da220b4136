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

  /// Encrypts a store in clear, or one that is encrypted with a new data key, by a copy that takes the place of its file.
  ///
  /// - Parameter kept: the cipher whose tokens and sealed keys stay, since the store has such in its keys; nil where it has none.
  static func encrypt(
    _ environment: LMDB.Environment,
    with encryption: StoreEncryption,
    keepingKeysOf kept: (any StoreCipher)? = nil,
    store: String
  ) throws {
    let header =
      try kept?.renewedHeader(for: encryption.keys, ofStore: store)
      ?? encryption.keys.makeHeader(ofStore: store)
    let sealer = StoreSealer(try encryption.keys.unlock(header, ofStore: store), header: header)
    try rewrite(environment, sealedBy: sealer)
  }

  /// Puts a copy with other data keys, or with none, in the place of a store's file.
  static func rewrite(_ environment: LMDB.Environment, sealedBy sealer: StoreSealer?) throws {
    let changes: (ReadTransaction) throws -> [String: EntryChange] = {
      try renaming($0, sealer.map { CollectionTokens($0) })
    }
    do { try rewrite(environment, sealedBy: sealer, changes) } catch let error as LMDBError
      where error.code == .keyExists
    {
      throw FiefError(
        .invalidValue,
        "Two long elements of a collection have the same hash, and a store in clear has room for one of them.",
        underlying: error
      )
    }
  }

  private static func rewrite(
    _ environment: LMDB.Environment,
    sealedBy sealer: StoreSealer?,
    _ changes: (ReadTransaction) throws -> [String: EntryChange]
  ) throws {
    _ = try environment.rewrite(sealedBy: sealer, changing: changes) { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      // Journals have values as they are in the file.
      if try JointRows.hasRows(JointRows.prefix, tree, in: transaction) {
        throw FiefError(
          .blockedByUnfinishedWrite,
          "The store has its part of a write to several stores that is not finished; open the stores once, then try again."
        )
      }
      try EncryptionHeader.store(sealer?.header, tree, in: transaction)
      try Catalogue.key.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
        var catalogue = try Catalogue.decode(bytes)
        // The checksums of older records do not fit the format that the catalogue gets.
        guard catalogue.format >= Catalogue.formatWithKeysInChecksums else {
          throw FiefError(
            .migrationRequired,
            "The store has records of an older format; it can be encrypted once its schema version was raised and it was migrated."
          )
        }
        if sealer == nil, let secret = catalogue.secret {
          throw FiefError(
            .encryptionRequired,
            "The store has a secret property, which only an encrypted one can have: migrate it to a schema in which nothing is secret, then decrypt it.",
            type: secret.type,
            property: secret.property
          )
        }
        catalogue.format = sealer == nil ? Catalogue.currentFormat : Catalogue.encryptedFormat
        try catalogue.encoded().withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
  }

  /// Makes the keys of large sets and maps again: tokens for an encrypted copy, names for one in clear.
  private static func renaming(
    _ transaction: LMDB.Transaction,
    _ tokens: CollectionTokens?
  ) throws -> [String: EntryChange] {
    guard let tree = try transaction.database(named: Catalogue.treeName),
      let bytes = try Catalogue.key.withUnsafeBytes({ try transaction.get(tree, $0) })
    else { return [:] }
    let catalogue = try Catalogue.decode(bytes)
    return [LargeCollection.treeName: { try LargeEntry.renamed($0, $1, catalogue, tokens) }]
  }
}
