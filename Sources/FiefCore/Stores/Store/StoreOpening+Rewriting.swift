import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Copying a store with other data keys or without encryption.
extension StoreOpening {
  /// Encrypts an unencrypted store, or encrypts an encrypted store with a new data key. A copy replaces the
  /// file of the store.
  ///
  /// - Parameter schema: the catalogue that the caller has read, if the store is open.
  static func encrypt(
    _ environment: LMDB.Environment,
    with encryption: StoreEncryption,
    store: String,
    of schema: Catalogue? = nil
  ) throws {
    let sealer = try makeSealer(encryption, for: environment, schema, store: store)
    try rewrite(environment, sealedBy: sealer, of: schema)
  }

  /// Replaces a store's file with a copy that has other data keys or is unencrypted.
  static func rewrite(
    _ environment: LMDB.Environment,
    sealedBy sealer: StoreSealer?,
    of schema: Catalogue? = nil
  ) throws {
    try afterUnfinishedWrites {
      _ = try environment.rewrite(
        sealedBy: sealer,
        changing: { try changes($0, sealer, insteadOf: environment.sealing as? StoreSealer, of: schema) },
        { try finish($0, sealedBy: sealer) }
      )
    }
  }

  /// Writes a copy into a new directory, encrypted with a new data key or unencrypted.
  static func copy(
    _ environment: LMDB.Environment,
    to directory: String,
    encryptedWith encryption: StoreEncryption?,
    store: String,
    of schema: Catalogue
  ) throws {
    let sealer = try encryption.map { try makeSealer($0, for: environment, schema, store: store) }
    try afterUnfinishedWrites {
      try environment.copy(
        to: directory,
        sealedBy: sealer,
        changing: { try changes($0, sealer, insteadOf: environment.sealing as? StoreSealer, of: schema) },
        { try finish($0, sealedBy: sealer) }
      )
    }
  }

  /// Retries for about half a second if the store has rows of another process's write to several stores. That
  /// process removes the rows in a separate commit.
  private static func afterUnfinishedWrites(_ body: () throws -> Void) throws {
    var tries = 0
    while true {
      do { return try body() } catch let error as FiefError where error.code == .blockedByUnfinishedWrite {
        if tries == 64 { throw error }
        if tries % 4 == 3 { usleep(1_000 << UInt32(tries / 8)) } else { sched_yield() }
        tries += 1
      } catch let error as LMDBError where error.code == .keyExists {
        throw FiefError(
          .invalidValue,
          "Two long elements of a collection have the same hash; an unencrypted store can hold only one of them.",
          underlying: error
        )
      }
    }
  }

  /// Returns a sealer with a new data key. If the schema has secret properties, the token key is kept,
  /// because the keys of these properties depend on it.
  private static func makeSealer(
    _ encryption: StoreEncryption,
    for environment: LMDB.Environment,
    _ schema: Catalogue?,
    store: String
  ) throws -> StoreSealer {
    let kept = schema?.secret == nil ? nil : (environment.sealing as? StoreSealer)?.cipher
    let made =
      try kept?.renewed(for: encryption.keys, ofStore: store)
      ?? encryption.keys.makeCipher(ofStore: store)
    return StoreSealer(made.cipher, header: made.header)
  }

  /// Checks a store before it is copied, and returns the changes to the keys of large sets and maps: an
  /// encrypted copy has tokens as keys, and an unencrypted copy has names.
  ///
  /// - Parameters:
  ///   - former: seals the values of the store.
  ///   - schema: the catalogue on which the caller's decision was based.
  private static func changes(
    _ transaction: LMDB.Transaction,
    _ sealer: StoreSealer?,
    insteadOf former: StoreSealer?,
    of schema: Catalogue?
  ) throws -> [String: EntryChange] {
    guard let tree = try transaction.database(named: Catalogue.treeName),
      let bytes = try Catalogue.key.withUnsafeBytes({ try transaction.get(tree, $0) })
    else { throw Catalogue.damaged }
    // Journals contain values as they are in the file.
    if try JointRows.hasRows(JointRows.prefix, tree, in: transaction) {
      throw FiefError(
        .blockedByUnfinishedWrite,
        "The store has an unfinished part of a write to several stores. Open the stores once, then try again."
      )
    }
    let catalogue = try Catalogue.decode(bytes)
    // The checksums of older records do not match the format in the copy's catalogue.
    guard catalogue.format >= Catalogue.formatWithKeysInChecksums else {
      throw FiefError(
        .migrationRequired,
        "The store has records of an older format. Raise its schema version and migrate it, then encrypt it."
      )
    }
    try check(catalogue, sealedBy: sealer, insteadOf: former, of: schema)
    try catalogue.checkTrees(in: transaction)
    let tokens = sealer.map { CollectionTokens($0) }
    return [Catalogue.collectionTreeName: { try LargeEntry.renamed($0, $1, catalogue, tokens) }]
  }

  /// Writes the header and the format of a copy.
  private static func finish(
    _ transaction: LMDB.WritableTransaction,
    sealedBy sealer: StoreSealer?
  ) throws {
    let tree = try transaction.openDatabase(named: Catalogue.treeName)
    try EncryptionHeader.store(sealer?.header, tree, in: transaction)
    try Catalogue.key.withUnsafeBytes { key in
      guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
      var catalogue = try Catalogue.decode(bytes)
      catalogue.format = sealer == nil ? Catalogue.currentFormat : Catalogue.encryptedFormat
      try catalogue.encoded().withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }

  /// Checks that the keys of secret properties remain usable in the copy.
  ///
  /// - Throws: ``FiefError`` of code `schemaChanged` if another process has migrated the store since it was
  ///   opened here, because a different token key would make secret keys useless; `encryptionRequired` if an
  ///   unencrypted copy would have a secret property.
  private static func check(
    _ catalogue: Catalogue,
    sealedBy sealer: StoreSealer?,
    insteadOf former: StoreSealer?,
    of schema: Catalogue?
  ) throws {
    guard let secret = catalogue.secret else {
      if let schema, schema.schemaVersion != catalogue.schemaVersion || schema.storeID != catalogue.storeID {
        throw schemaChanged
      }
      return
    }
    guard let sealer else {
      throw FiefError(
        .encryptionRequired,
        "The store has a secret property, which requires encryption: migrate it to a schema without secret properties, then decrypt it.",
        type: secret.type,
        property: secret.property
      )
    }
    guard let schema, schema.schemaVersion == catalogue.schemaVersion, schema.storeID == catalogue.storeID,
      former?.hasSameTokens(as: sealer) == true
    else { throw schemaChanged }
  }

  private static var schemaChanged: FiefError {
    FiefError(.schemaChanged, "Another process has migrated the store; close it and open it again.")
  }
}
