import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Copies of a store with other data keys, or with none.
extension StoreOpening {
  /// Encrypts a store in clear, or one that is encrypted with a new data key, by a copy that takes the place of its file.
  ///
  /// - Parameter schema: the catalogue that the caller knows, where the store is open with it.
  static func encrypt(
    _ environment: LMDB.Environment,
    with encryption: StoreEncryption,
    store: String,
    of schema: Catalogue? = nil
  ) throws {
    let sealer = try makeSealer(encryption, for: environment, schema, store: store)
    try rewrite(environment, sealedBy: sealer, of: schema)
  }

  /// Puts a copy with other data keys, or with none, in the place of a store's file.
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

  /// Writes a copy into a new directory: encrypted with a new data key, or in clear.
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

  /// Tries again, for about half a second, while the store has rows of a write of another process to several stores. That removes
  /// them in a commit of its own, for which it waits while the copy is tried.
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
          "Two long elements of a collection have the same hash, and a store in clear has room for one of them.",
          underlying: error
        )
      }
    }
  }

  /// A sealer with a new data key. The key of tokens stays where the schema has secret properties, whose keys are made with it.
  private static func makeSealer(
    _ encryption: StoreEncryption,
    for environment: LMDB.Environment,
    _ schema: Catalogue?,
    store: String
  ) throws -> StoreSealer {
    let kept = schema?.secret == nil ? nil : (environment.sealing as? StoreSealer)?.cipher
    let header =
      try kept?.renewedHeader(for: encryption.keys, ofStore: store)
      ?? encryption.keys.makeHeader(ofStore: store)
    return StoreSealer(try encryption.keys.unlock(header, ofStore: store), header: header)
  }

  /// Looks at a store before it is copied, and returns what makes the keys of large sets and maps again: tokens for an encrypted copy,
  /// names for one in clear.
  ///
  /// - Parameters:
  ///   - former: what seals the values of the store.
  ///   - schema: the catalogue that the caller has decided by.
  private static func changes(
    _ transaction: LMDB.Transaction,
    _ sealer: StoreSealer?,
    insteadOf former: StoreSealer?,
    of schema: Catalogue?
  ) throws -> [String: EntryChange] {
    guard let tree = try transaction.database(named: Catalogue.treeName),
      let bytes = try Catalogue.key.withUnsafeBytes({ try transaction.get(tree, $0) })
    else { throw Catalogue.damaged }
    // Journals have values as they are in the file.
    if try JointRows.hasRows(JointRows.prefix, tree, in: transaction) {
      throw FiefError(
        .blockedByUnfinishedWrite,
        "The store has its part of a write to several stores that is not finished; open the stores once, then try again."
      )
    }
    let catalogue = try Catalogue.decode(bytes)
    // The checksums of older records do not fit the format that the catalogue gets.
    guard catalogue.format >= Catalogue.formatWithKeysInChecksums else {
      throw FiefError(
        .migrationRequired,
        "The store has records of an older format; it can be encrypted once its schema version was raised and it was migrated."
      )
    }
    try check(catalogue, sealedBy: sealer, insteadOf: former, of: schema)
    try catalogue.checkTrees(in: transaction)
    let tokens = sealer.map { CollectionTokens($0) }
    return [LargeCollection.treeName: { try LargeEntry.renamed($0, $1, catalogue, tokens) }]
  }

  /// Writes header and format of a copy.
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

  /// - Throws: ``FiefError`` of code `schemaChanged` where another process has migrated the store since it was opened here, as
  ///   another key of tokens would lose secret keys; `encryptionRequired`.
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
        "The store has a secret property, which only an encrypted one can have: migrate it to a schema in which nothing is secret, then decrypt it.",
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
