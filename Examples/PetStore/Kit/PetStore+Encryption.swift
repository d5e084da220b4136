import Fief
import FiefEncryption
import Foundation

extension PetStore {
  /// The application with its key, a file in the directory of the stores that the first start makes.
  ///
  /// The start that makes the key also encrypts stores in clear that an earlier version has left. Later starts refuse a store in
  /// clear, which may be a forged one. If the first start was killed before the stores were encrypted,
  /// `petstore-migrate migrate --encrypt` does it.
  ///
  /// A real application keeps the key elsewhere: on another disk, in a keychain, with a service.
  package static func encrypted(in directory: String) throws -> PetStore {
    let (store, isFirstStart) = try described(in: directory)
    if isFirstStart {
      try store.auth.encryptClearStore()
      try store.payments.encryptClearStore()
    }
    return store
  }

  /// The application with its key, for the migration runner, which opens the stores itself.
  package static func unopened(in directory: String) throws -> PetStore { try described(in: directory).store }

  /// Returns the repositories, and creates the key file if it does not exist.
  private static func described(in directory: String) throws -> (store: PetStore, isKeyNew: Bool) {
    let path = keyFile(in: directory)
    let store = PetStore(directory: directory, encryption: .keyFile(path))
    if FileManager.default.fileExists(atPath: path) { return (store, false) }
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    do { try StoreEncryption.makeKeyFile(at: path) } catch {
      // Another process may have started at the same time.
      guard FileManager.default.fileExists(atPath: path) else { throw error }
      return (store, false)
    }
    return (store, true)
  }

  static func keyFile(in directory: String) -> String {
    URL(filePath: directory, directoryHint: .isDirectory).appending(path: "petstore.key")
      .path(percentEncoded: false)
  }
}
