extension DatabaseConfigurable {
  /// Wraps the store's data keys with another key of the user's; see ``Store/changeEncryptionKey(to:)``.
  public func changeEncryptionKey(to encryption: StoreEncryption) throws {
    try store().changeEncryptionKey(to: encryption)
  }

  /// Encrypts all values once more, with a new data key; see ``Store/reencrypt(with:)``.
  public func reencrypt(with encryption: StoreEncryption) throws { try store().reencrypt(with: encryption) }

  /// Encrypts a store in clear; see ``Store/encrypt(with:)``.
  public func encrypt(with encryption: StoreEncryption) throws { try store().encrypt(with: encryption) }

  /// Opens the store, with the migrations that are due, and encrypts it with the key of the options if it is in clear.
  ///
  /// Call it once, in the release that begins to encrypt: it accepts any store in clear in the directory, even a forged one. Other
  /// openings refuse a store in clear with ``FiefError/Code/notEncrypted``. If the store is encrypted already, the call only compares
  /// the key.
  ///
  /// The migration and the encryption are two commits. As a rule the store is migrated first: if encrypting fails then, it is in clear
  /// and has the new version. A migration to a schema with secret keys needs an encrypted store, which is encrypted first: if the
  /// migration fails then, the store is encrypted and has its former version.
  ///
  /// - Throws: ``FiefError`` of code `invalidKey` if the options have no key, `readOnlyStore`, and as ``Store/encrypt(with:)`` and ``open()``.
  public func encryptClearStore() throws {
    let options = storeOptions
    guard let encryption = options.encryption else {
      throw FiefError(
        .invalidKey,
        "The options have no key: set encryption of storeOptions before the store is encrypted.",
        store: storeName
      )
    }
    guard !options.isReadOnly else {
      throw FiefError(
        .readOnlyStore,
        "The options open the store for reading only, so that it cannot be encrypted.",
        store: storeName
      )
    }
    let store = StoreRegistry.shared.found(self, encryptsClearStore: true)
    if try store.isEncrypted { try checkKey(of: store) } else { try store.encrypt(with: encryption) }
  }

  /// Makes an encrypted store one in clear; see ``Store/decrypt()``.
  public func decrypt() throws { try store().decrypt() }

  /// Writes a copy that is encrypted with a key of its own, or in clear; see ``Store/backup(to:encryptedWith:)``.
  public func backup(to directory: String, encryptedWith encryption: StoreEncryption?) throws {
    try store().backup(to: directory, encryptedWith: encryption)
  }
}
