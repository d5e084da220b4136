import Fief

/// What is read from the stores and written to them.
extension PetStore {
  /// What all processes have read from and written to each store since it was made; in memory, since it was opened.
  ///
  /// A store that cannot be opened is left out.
  func usage() -> [Usage] {
    [auth.store(), pets.store(), payments.store(), ads.store(), catalogue.store(), chat.store()]
      .compactMap { $0.usage(per: .total) }
  }
}

extension StoreOptions {
  /// The settings of the example's stores: each keeps what is read from it and written to it.
  static var keepingUsage: StoreOptions {
    var options = StoreOptions()
    options.keepsUsage = true
    return options
  }

  /// The same of a store that is encrypted if there is a key.
  static func keepingUsage(encryptedWith encryption: StoreEncryption?) -> StoreOptions {
    var options = keepingUsage
    options.encryption = encryption
    return options
  }
}
