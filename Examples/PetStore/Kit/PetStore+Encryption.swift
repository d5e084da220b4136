import Fief
import FiefEncryption
import Foundation

extension PetStore {
  /// The application with its key, a file in the directory of the stores that the first start makes.
  ///
  /// A real application keeps it elsewhere: on another disk, in a keychain, with a service.
  package static func encrypted(in directory: String) throws -> PetStore {
    let path = keyFile(in: directory)
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      do { try StoreEncryption.makeKeyFile(at: path) } catch {
        // Another process may have started at the same time.
        guard FileManager.default.fileExists(atPath: path) else { throw error }
      }
    }
    return PetStore(directory: directory, encryption: .keyFile(path))
  }

  static func keyFile(in directory: String) -> String {
    URL(filePath: directory, directoryHint: .isDirectory).appending(path: "petstore.key")
      .path(percentEncoded: false)
  }
}
