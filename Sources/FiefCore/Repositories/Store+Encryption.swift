import LMDB

extension Store {
  /// Whether the store is encrypted.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened.
  public var isEncrypted: Bool {
    get throws { try core().environment.sealing != nil }
  }

  /// Wraps the store's data keys with another key of the user's, in constant time: the former key does not open the store any more.
  ///
  /// The values stay as they are. Who has kept an earlier copy of the file, or reads its free pages, can still open them with the
  /// former key; where that key may have become known, ``reencrypt(with:)`` is the call. Afterwards
  /// ``StoreOptions/encryption`` has to have the new key.
  ///
  /// - Parameter encryption: the new key.
  /// - Throws: ``FiefError`` of code `notEncrypted`, `invalidKey`, `readOnlyStore`, `nestedWrite` and those of a write. The store
  ///   then has its former key, but for `unknownOutcome`: it may have either.
  public func changeEncryptionKey(to encryption: StoreEncryption) throws {
    let core = try replaceableCore()
    guard let sealer = core.environment.sealing as? StoreSealer else { throw Self.notEncrypted(core) }
    do {
      let header = try sealer.cipher.header(for: encryption.keys, ofStore: core.name)
      try core.environment.write { transaction in
        guard transaction.sealing === sealer else {
          throw FiefError(
            .conflict,
            "The store was encrypted once more, or decrypted, meanwhile.",
            store: core.name
          )
        }
        try EncryptionHeader.store(header, core.tables.catalogueTree, in: transaction)
      }
      sealer.header = header
      core.noteForTests(encryption)
    } catch { throw core.described(error) }
  }

  /// Encrypts all values once more, with a new data key under a key of the user's: nothing that the former key opens is left in the file.
  ///
  /// A copy takes the place of the file, as in ``DatabaseConfigurable/compact()``: writes of this process wait for it, reads only
  /// while the files are exchanged, and a crash leaves the old file with the former key or the new one with the new key. The blocks
  /// of the old file go back to the file system, which need not overwrite them. Afterwards ``StoreOptions/encryption`` has to have
  /// the new key.
  ///
  /// A store with secret properties keeps the key that its tokens and secret primary keys are made with: who has the former key and
  /// an earlier copy of the file can still open such primary keys, and try values against the tokens of indexes, large sets and maps.
  ///
  /// - Parameter encryption: the key; it may be the same as before.
  /// - Throws: ``FiefError`` of code `notEncrypted`, `invalidKey`, `blockedByUnfinishedWrite`, `schemaChanged` where another process
  ///   has migrated the store, and those of ``DatabaseConfigurable/compact()``. The store is then as it was, but for `unknownOutcome`: it has the new key, and may have the
  ///   former one again after a power cut.
  public func reencrypt(with encryption: StoreEncryption) throws {
    let core = try replaceableCore()
    try core.checkNotReading()
    try core.inTurn {
      guard core.environment.sealing != nil else { throw Self.notEncrypted(core) }
      try StoreOpening.encrypt(core.environment, with: encryption, store: core.name, of: core.catalogue)
    }
    core.noteForTests(encryption)
  }

  /// Encrypts a store in clear, as ``reencrypt(with:)`` does with one that is encrypted.
  ///
  /// - Parameter encryption: the key, which ``StoreOptions/encryption`` has to have afterwards.
  /// - Throws: ``FiefError`` of code `encrypted` where it is encrypted already, and as ``reencrypt(with:)``.
  public func encrypt(with encryption: StoreEncryption) throws {
    let core = try replaceableCore()
    try core.checkNotReading()
    try core.inTurn {
      guard core.environment.sealing == nil else {
        throw FiefError(
          .encrypted,
          "The store is encrypted already; reencrypt(with:) takes a new data key.",
          store: core.name
        )
      }
      try StoreOpening.encrypt(core.environment, with: encryption, store: core.name, of: core.catalogue)
    }
    core.noteForTests(encryption)
  }

  /// Makes an encrypted store one in clear, as ``reencrypt(with:)`` makes it one of another key.
  ///
  /// Afterwards ``StoreOptions/encryption`` has to be nil.
  ///
  /// - Throws: ``FiefError`` as ``reencrypt(with:)``, and of code `encryptionRequired` where a property is secret, or the lifetime of
  ///   a class asks for an encrypted store.
  public func decrypt() throws {
    let core = try replaceableCore()
    try core.checkNotReading()
    try core.inTurn {
      guard core.environment.sealing != nil else { throw Self.notEncrypted(core) }
      try core.checkTiers(isEncrypted: false)
      try StoreOpening.rewrite(core.environment, sealedBy: nil, of: core.catalogue)
    }
    core.noteForTests(nil)
  }

  /// Writes a compacted copy of the store while it is in use: encrypted with a key of its own, or in clear.
  ///
  /// The copy has a new data key, and so nothing that opens the store opens it; a store with secret properties keeps the key of its
  /// tokens there too. Reads go on meanwhile, and writes of this process wait.
  ///
  /// - Parameters:
  ///   - directory: the directory of the copy, which must not exist. Parents that are missing are made.
  ///   - encryption: the key of the copy; nil for a copy in clear.
  /// - Throws: ``FiefError`` as ``backup(to:)``; of code `invalidKey`; `encryptionRequired` for a copy in clear where a property is
  ///   secret or the lifetime of a class asks for an encrypted store; `storeInUse` where another process writes to the store meanwhile;
  ///   `schemaChanged`, `migrationRequired` for records of an old format, `invalidValue` as ``decrypt()``, `blockedByUnfinishedWrite`,
  ///   `nestedWrite`, `readOnlyStore`. Nothing is left at the directory then, but for `unknownOutcome`: the copy may be there.
  public func backup(to directory: String, encryptedWith encryption: StoreEncryption?) throws {
    if try encryption == nil && !isEncrypted { return try backup(to: directory) }
    let core = try replaceableCore()
    try core.inTurn {
      try core.checkTiers(isEncrypted: encryption != nil)
      try StoreLocation.withParents(of: directory) {
        try StoreOpening.copy(
          core.environment,
          to: $0,
          encryptedWith: encryption,
          store: core.name,
          of: core.catalogue
        )
      }
    }
  }

  private func replaceableCore() throws -> StoreCore {
    let core = try core()
    try core.prepareReplacement()
    return core
  }

  private static func notEncrypted(_ core: StoreCore) -> FiefError {
    FiefError(.notEncrypted, "The store is not encrypted.", store: core.name)
  }
}

extension StoreCore {
  /// - Throws: ``FiefError`` of code `encryptionRequired` where a class of the store may be kept in encrypted stores only.
  func checkTiers(isEncrypted: Bool) throws(FiefError) {
    for table in tables.all {
      try descriptor(named: table.name)?.checkTier(isEncrypted: isEncrypted, store: name)
    }
  }

  /// - Throws: ``FiefError`` of code `storeInUse` inside of a read, before it waits for a write that may wait for that read.
  func checkNotReading() throws {
    do { try environment.checkNotReading() } catch { throw described(error) }
  }

  /// Calls a closure in a turn of the write queue, between the writes to several stores, whose rows a copy cannot have.
  func inTurn(_ body: () throws -> Void) throws {
    do {
      // A thread that holds one store and waits for another one might wait for one that waits for it.
      try checkNoOtherWrite()
      try queue().withTurn(isWrite: false) { try body() }
    } catch { throw described(error) }
  }

  /// Tells the sandbox of a test, whose check at the end opens the store.
  fileprivate func noteForTests(_ encryption: StoreEncryption?) {
    for sandbox in sandboxes { sandbox.note(encryption, of: directory) }
  }
}
