extension DatabaseConfigurable {
  /// Wraps the store's data keys with another key of the user's; see ``Store/changeEncryptionKey(to:)``.
  public func changeEncryptionKey(to encryption: StoreEncryption) throws {
    try store().changeEncryptionKey(to: encryption)
  }

  /// Encrypts all values once more, with a new data key; see ``Store/reencrypt(with:)``.
  public func reencrypt(with encryption: StoreEncryption) throws { try store().reencrypt(with: encryption) }

  /// Encrypts a store in clear; see ``Store/encrypt(with:)``.
  public func encrypt(with encryption: StoreEncryption) throws { try store().encrypt(with: encryption) }

  /// Makes an encrypted store one in clear; see ``Store/decrypt()``.
  public func decrypt() throws { try store().decrypt() }

  /// Writes a copy that is encrypted with a key of its own, or in clear; see ``Store/backup(to:encryptedWith:)``.
  public func backup(to directory: String, encryptedWith encryption: StoreEncryption?) throws {
    try store().backup(to: directory, encryptedWith: encryption)
  }
}
