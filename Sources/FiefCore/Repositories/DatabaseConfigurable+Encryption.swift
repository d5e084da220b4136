extension DatabaseConfigurable {
  /// Opens the store, runs pending migrations, and encrypts the store with the key of the options if it is
  /// unencrypted.
  ///
  /// Call this method once, in the release that introduces encryption. It accepts any unencrypted store in
  /// the directory, even a forged one; all other ways of opening the store reject an unencrypted one with
  /// ``FiefError/Code/notEncrypted``. If the store is already encrypted, the call only compares the key.
  ///
  /// The migration and the encryption are two commits. Usually the store is migrated first: if the encryption
  /// then fails, the store is unencrypted and has the new version. A migration to a schema with secret keys
  /// requires an encrypted store, so in this case the store is encrypted first: if the migration then fails,
  /// the store is encrypted and has its former version.
  ///
  /// - Throws: ``FiefError`` of code `invalidKey` if the options have no key, `readOnlyStore`, and the errors
  ///   of ``StoreAccess/encrypt(with:)`` and ``open()``.
  public func encryptClearStore() throws {
    let options = storeOptions
    guard let encryption = options.encryption else {
      throw FiefError(
        .invalidKey,
        "The options have no key: set encryption in storeOptions before you encrypt the store.",
        store: storeName
      )
    }
    guard !options.isReadOnly else {
      throw FiefError(
        .readOnlyStore,
        "The store cannot be encrypted because the options open it for reading only.",
        store: storeName
      )
    }
    let store = StoreRegistry.shared.found(self, encryptsClearStore: true)
    if try store.isEncrypted { try checkKey(of: store) } else { try store.encrypt(with: encryption) }
  }
}
