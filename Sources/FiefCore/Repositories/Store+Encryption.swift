import LMDB

extension Store {
  /// A Boolean value that indicates whether the store is encrypted.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public var isEncrypted: Bool {
    get throws { try core().environment.sealing != nil }
  }

  fileprivate func replaceableCore() throws -> StoreCore {
    let core = try core()
    try core.prepareReplacement()
    return core
  }

  fileprivate static func notEncrypted(_ core: StoreCore) -> FiefError {
    FiefError(.notEncrypted, "The store is not encrypted.", store: core.name)
  }
}

extension StoreAccess {
  /// Wraps the store's data keys with another user key, in constant time. Afterwards the former key no longer
  /// opens the store.
  ///
  /// The values are not encrypted again. A person who has an earlier copy of the file, or reads its free
  /// pages, can still decrypt them with the former key. If the former key may be compromised, call
  /// ``reencrypt(with:)`` instead. Afterwards ``StoreOptions/encryption`` must contain the new key.
  ///
  /// - Parameter encryption: the new key.
  /// - Throws: ``FiefError`` of code `notEncrypted`, `invalidKey`, `readOnlyStore`, `nestedWrite`, and the
  ///   errors of a write. The store then keeps its former key, except after `unknownOutcome`, when it may
  ///   have either key.
  public func changeEncryptionKey(to encryption: StoreEncryption) throws {
    let core = try store().replaceableCore()
    guard let sealer = core.environment.sealing as? StoreSealer else { throw Store.notEncrypted(core) }
    do {
      let header = try sealer.cipher.header(for: encryption.keys, ofStore: core.name)
      try core.environment.write { transaction in
        guard transaction.sealing === sealer else {
          throw FiefError(
            .conflict,
            "Meanwhile the store was encrypted again or decrypted.",
            store: core.name
          )
        }
        try EncryptionHeader.store(header, core.tables.catalogueTree, in: transaction)
      }
      sealer.header = header
      core.noteForTests(encryption)
    } catch { throw core.described(error) }
  }

  /// Encrypts all values again with a new data key, which a user key wraps. Afterwards the file contains
  /// nothing that the former key can decrypt.
  ///
  /// A copy replaces the file, as in ``DatabaseConfigurable/compact()``: writes of this process wait for it,
  /// reads wait only while the files are exchanged, and a crash leaves either the old file with the former
  /// key or the new file with the new key. The blocks of the old file are returned to the file system, which
  /// may not overwrite them. Afterwards ``StoreOptions/encryption`` must contain the new key.
  ///
  /// A store with secret properties keeps the key of its tokens and secret primary keys. A person with the
  /// former key and an earlier copy of the file can still decrypt such primary keys, and test guessed values
  /// against the tokens of indexes, large sets and maps.
  ///
  /// - Parameter encryption: the key, which may be the same as before.
  /// - Throws: ``FiefError`` of code `notEncrypted`, `invalidKey`, `blockedByUnfinishedWrite`,
  ///   `schemaChanged` if another process has migrated the store, and the errors of
  ///   ``DatabaseConfigurable/compact()``. The store is then unchanged, except after `unknownOutcome`: it has
  ///   the new key, but may have the former key again after a power failure.
  public func reencrypt(with encryption: StoreEncryption) throws {
    let core = try store().replaceableCore()
    try core.checkNotReading()
    try core.inTurn {
      guard core.environment.sealing != nil else { throw Store.notEncrypted(core) }
      try StoreOpening.encrypt(core.environment, with: encryption, store: core.name, of: core.catalogue)
    }
    core.noteForTests(encryption)
  }

  /// Encrypts an unencrypted store, in the same way as ``reencrypt(with:)``.
  ///
  /// - Parameter encryption: the key, which ``StoreOptions/encryption`` must contain afterwards.
  /// - Throws: ``FiefError`` of code `encrypted` if the store is already encrypted, and the errors of
  ///   ``reencrypt(with:)``.
  public func encrypt(with encryption: StoreEncryption) throws {
    let core = try store().replaceableCore()
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

  /// Decrypts an encrypted store, in the same way as ``reencrypt(with:)`` encrypts it again.
  ///
  /// Afterwards ``StoreOptions/encryption`` must be nil.
  ///
  /// - Throws: the errors of ``reencrypt(with:)``, and ``FiefError`` of code `encryptionRequired` if a
  ///   property is secret or the lifetime of a class requires an encrypted store, `invalidValue` if two long
  ///   elements of a collection have the same hash, because an unencrypted store can contain only one of
  ///   them.
  public func decrypt() throws {
    let core = try store().replaceableCore()
    try core.checkNotReading()
    try core.inTurn {
      guard core.environment.sealing != nil else { throw Store.notEncrypted(core) }
      try core.checkTiers(isEncrypted: false)
      try StoreOpening.rewrite(core.environment, sealedBy: nil, of: core.catalogue)
    }
    core.noteForTests(nil)
  }

  /// Writes a compacted copy of the store while it is in use: encrypted with its own key, or unencrypted.
  ///
  /// The copy has a new data key, so no key of the store opens it. If the store has secret properties, the
  /// copy keeps the key of its tokens. In the meantime reads continue, and writes of this process wait.
  ///
  /// - Parameters:
  ///   - directory: the directory of the copy, which must not exist. Missing parent directories are created.
  ///   - encryption: the key of the copy; `nil` for an unencrypted copy.
  /// - Throws: the errors of ``backup(to:)``; ``FiefError`` of code `invalidKey`; `encryptionRequired` for an
  ///   unencrypted copy if a property is secret or the lifetime of a class requires an encrypted store;
  ///   `storeInUse` if another process writes to the store in the meantime; `schemaChanged`,
  ///   `migrationRequired` for records of an old format, `invalidValue` as for ``decrypt()``,
  ///   `blockedByUnfinishedWrite`, `nestedWrite`, `readOnlyStore`. In these cases the directory does not
  ///   exist, except after `unknownOutcome`, when the copy may exist.
  public func backup(to directory: String, encryptedWith encryption: StoreEncryption?) throws {
    if try encryption == nil && !store().isEncrypted { return try backup(to: directory) }
    let core = try store().replaceableCore()
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
}

extension StoreCore {
  /// Passes the key to the sandbox of a test, which opens the store for its final check.
  fileprivate func noteForTests(_ encryption: StoreEncryption?) {
    for sandbox in sandboxes { sandbox.note(encryption, of: directory) }
  }
}
