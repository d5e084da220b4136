import Foundation
import LMDB

/// The file from which a new store is copied.
enum StoreSeedFile {
  /// Copies the seed of the options if there is one and the directory has no store.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` if the file does not exist, `damagedStore` if it is damaged
  ///   or not a store of this library, or `encrypted`, `notEncrypted` or `wrongKey` if its key does not fit.
  ///   The directory then still has no store.
  /// - Returns: the sealer of an encrypted seed, for the opening of its copy.
  static func place(
    _ configuration: StoreConfiguration,
    in directory: String,
    isSynchronized: Bool
  ) throws -> UnlockedSealer? {
    guard let seed = configuration.options.seedFile else { return nil }
    if StoreSeeding.hasStore(directory) {
      // A killed process may have left a copy after its copy had become the store.
      ScratchDirectory.removeAbandoned(beside: directory, for: .seed)
      return nil
    }
    do {
      var unlocked: UnlockedSealer?
      try StoreSeeding.withScratch(beside: directory) { copy in
        // Another process may have created the store first.
        if StoreSeeding.hasStore(directory) { return }
        try StoreSeeding.copy(seed, to: copy, isSynchronised: isSynchronized)
        unlocked = try checkKey(configuration, ofCopyIn: copy)
        _ = try StoreSeeding.move(
          copy,
          to: directory,
          isSynchronised: isSynchronized,
          allowsGroup: configuration.options.allowsGroupWritableDirectory
        )
      }
      return unlocked
    } catch {
      throw described(error, seed, store: configuration.name)
    }
  }

  /// Checks that the copy has a catalogue and that the key of the options opens it.
  ///
  /// - Returns: the sealer of an encrypted copy.
  private static func checkKey(
    _ configuration: StoreConfiguration,
    ofCopyIn directory: String
  ) throws -> UnlockedSealer? {
    let environment = try StoreOpening.openFiles(directory, isReadOnly: true, .quick)
    defer { environment.close() }
    guard try StoreOpening.storedCatalogue(in: environment) != nil else {
      throw FiefError(.damagedStore, "The seed file is not a store of Fief: it has no catalogue.")
    }
    try StoreOpening.unlock(
      environment,
      configuration.options.encryption,
      store: configuration.name,
      mayBeClear: configuration.encryptsClearStore
    )
    guard let sealer = environment.sealing as? StoreSealer else { return nil }
    // No other handle has this environment, because the directory of the copy belongs to this call.
    environment.handOverSealing()
    return UnlockedSealer(sealer)
  }

  private static func described(_ error: any Error, _ seed: String, store: String) -> any Error {
    if let error = error as? LMDBError, error.code == .notFound {
      return FiefError(
        .cannotOpen,
        "The seed file does not exist.",
        store: store,
        path: seed,
        underlying: error
      )
    }
    var described = FiefError.described(error, store: store) as? FiefError
    described?.path = seed
    return described ?? error
  }
}
