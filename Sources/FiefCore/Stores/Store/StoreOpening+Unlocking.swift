import LMDB

/// The key of a store that is being opened.
extension StoreOpening {
  /// Enables an environment to read and write the values of an encrypted store. Has no effect on an
  /// unencrypted store.
  ///
  /// If there is a key, an empty store will be encrypted: ``Migrator`` writes the header in its first commit.
  ///
  /// - Parameters:
  ///   - encryption: the key; nil to open the store without a key.
  ///   - mayBeClear: whether an unencrypted store is accepted although there is a key. It stays unencrypted.
  ///   - verifiesCommit: whether the record of the last commit is verified.
  ///   - unlocked: a sealer that was unlocked before, which is used if it has the store's header.
  /// - Throws: ``FiefError`` of code `encrypted` without a key, `wrongKey`, `invalidKey`, `notEncrypted`;
  ///   `damagedStore` if the store was changed without its key.
  package static func unlock(
    _ environment: LMDB.Environment,
    _ encryption: StoreEncryption?,
    store: String,
    mayBeClear: Bool = false,
    verifiesCommit: Bool = true,
    unlocked: UnlockedSealer? = nil
  ) throws {
    for _ in 0..<10 {
      let isUnlocked = try unlockOnce(
        environment,
        encryption,
        store: store,
        mayBeClear: mayBeClear,
        verifiesCommit: verifiesCommit,
        unlocked: unlocked
      )
      if isUnlocked { return }
    }
    throw FiefError(.storeInUse, "The keys of the store keep changing.", store: store)
  }

  /// - Returns: false if the header changed in the meantime, because deriving a key takes time.
  private static func unlockOnce(
    _ environment: LMDB.Environment,
    _ encryption: StoreEncryption?,
    store: String,
    mayBeClear: Bool,
    verifiesCommit: Bool,
    unlocked: UnlockedSealer?
  ) throws -> Bool {
    let found = try storedHeader(environment)
    if let header = found.header {
      guard let encryption else { throw noKey(store) }
      let sealer: StoreSealer
      do {
        sealer =
          try unlocked?.take(for: header)
          ?? StoreSealer(try encryption.keys.unlock(header, ofStore: store), header: header)
      } catch {
        if try storedHeader(environment).header != header { return false }
        throw error
      }
      guard
        let known = try environment.seal(with: sealer, if: { try storedHeader($0).header == header })
          as? StoreSealer
      else { return false }
      guard known.hasSameKeys(as: sealer) else {
        if try storedHeader(environment).header != header { return false }
        throw FiefError(
          .storeInUse,
          "The process has the store open with different data keys; close it first.",
          store: store
        )
      }
      // Another process may have changed the key since this process opened the store.
      known.header = header
      return try environment.read { transaction in
        guard try storedHeader(transaction).header == header else { return false }
        if verifiesCommit { try verifyCommit(transaction, store: store, path: environment.directory) }
        return true
      }
    }
    guard let encryption else { return true }
    if !found.isStore {
      // If another process creates the store in the meantime, the store has a different header. This is
      // detected when the header is written.
      let made = try encryption.keys.makeCipher(ofStore: store)
      let sealer = StoreSealer(made.cipher, header: made.header)
      return try environment.seal(with: sealer, if: { try !storedHeader($0).isStore }) != nil
    }
    if !mayBeClear {
      throw FiefError(
        .notEncrypted,
        "The store is not encrypted, but was opened with a key. If it was never encrypted, call encryptClearStore() once.",
        store: store,
        path: environment.directory
      )
    }
    return true
  }

  /// Verifies the record of the last commit.
  ///
  /// - Throws: ``FiefError`` of code `damagedStore`. It names the type of a tree whose number of entries
  ///   differs from the record.
  private static func verifyCommit(_ transaction: LMDB.Transaction, store: String, path: String) throws {
    let flaws = try transaction.sealFlaws()
    guard !flaws.isEmpty else { return }
    var error = FiefError(LMDBError(.changedWithoutKey, path: path))
    error.store = store
    error.details = flaws.map(\.text)
    let trees = Set(flaws.compactMap(\.tree))
    if let tree = try transaction.database(named: Catalogue.treeName),
      let catalogue = try? Catalogue.stored(in: tree, of: transaction)
    {
      error.type = catalogue.types.first { !trees.isDisjoint(with: $0.treeNames) }?.name
    }
    throw error
  }

  private static func storedHeader(
    _ environment: LMDB.Environment
  ) throws -> (isStore: Bool, header: [UInt8]?) { try environment.read { try storedHeader($0) } }

  private static func storedHeader(
    _ transaction: LMDB.Transaction
  ) throws -> (isStore: Bool, header: [UInt8]?) {
    guard let tree = try transaction.database(named: Catalogue.treeName) else { return (false, nil) }
    let header = try EncryptionHeader.stored(tree, in: transaction)
    let format = try Catalogue.format(tree, in: transaction) ?? 0
    if format > Catalogue.newestFormat { throw Catalogue.tooNew(format) }
    if header != nil, Catalogue.isTooOld(format) { throw Catalogue.tooOld(format) }
    guard (header != nil) == (format == Catalogue.encryptedFormat) else {
      throw FiefError(
        .damagedStore,
        "The encrypted store's header is missing or belongs to an unencrypted store."
      )
    }
    return (true, header)
  }

  /// Compares a key with the key of an open store, and changes nothing.
  ///
  /// - Throws: ``FiefError`` of code `encrypted` without a key, `wrongKey`, `invalidKey`, `notEncrypted`.
  static func checkKey(
    _ encryption: StoreEncryption?,
    of environment: LMDB.Environment,
    store: String
  ) throws {
    var tries = 0
    while true {
      let header = try storedHeader(environment).header
      do {
        guard let header else {
          if encryption == nil { return }
          throw FiefError(
            .notEncrypted,
            "The store is already open unencrypted in this process, but was opened with a key; encrypt(with:) encrypts it.",
            store: store,
            path: environment.directory
          )
        }
        guard let encryption else { throw noKey(store) }
        _ = try encryption.keys.unlock(header, ofStore: store)
        // Deriving a key takes time, and the store's key may change in the meantime.
        tries += 1
        if try tries == 10 || storedHeader(environment).header == header { return }
      } catch {
        tries += 1
        if try tries == 10 || storedHeader(environment).header == header { throw error }
      }
    }
  }

  /// Thrown if another process has created the store or changed its key after this process read the header.
  /// The store must be opened again.
  struct ConcurrentCreation: Error {}

  /// Checks that the values are sealed with the keys in the store's header.
  ///
  /// - Throws: ``ConcurrentCreation`` if they are not.
  static func checkHeader(_ environment: LMDB.Environment, of catalogue: Catalogue) throws {
    // For an unencrypted store, nothing else is read.
    var isSame = (environment.sealing != nil) == (catalogue.format == Catalogue.encryptedFormat)
    if isSame, environment.sealing != nil {
      isSame = try environment.read { transaction in
        guard let tree = try transaction.database(named: Catalogue.treeName) else { return false }
        return try isSealedAsStored(tree, in: transaction)
      }
    }
    if !isSame { throw ConcurrentCreation() }
  }

  /// Whether the data keys match the header; true for an unencrypted store without data keys.
  static func isSealedAsStored(_ tree: Database, in transaction: LMDB.Transaction) throws -> Bool {
    (transaction.sealing as? StoreSealer)?.header == (try EncryptionHeader.stored(tree, in: transaction))
  }

  static func noKey(_ store: String) -> FiefError {
    FiefError(
      .encrypted,
      "The store is encrypted, but was opened without a key: set encryption in its options, with the product FiefEncryption.",
      store: store
    )
  }
}
