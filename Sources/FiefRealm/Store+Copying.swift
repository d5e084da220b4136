import Fief
import FiefEncryption
public import Foundation

extension Store {
  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameters:
  ///   - fileURL: the URL of the copy, as in ``Configuration/fileURL``. It must not exist. Missing parent
  ///     directories are created.
  ///   - encryptionKey: the key of the copy, 64 or 32 bytes. Without a key, the copy of an encrypted store
  ///     has the key of the store. ``writeCopy(configuration:)`` can create an unencrypted copy.
  /// - Throws: ``FiefError`` of code `cannotOpen` if the path exists or its parent directories cannot be
  ///   created, of code `storeFull` if the disk is full, and with a key the errors of
  ///   `backup(to:encryptedWith:)`. After an error no copy exists.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    let directory = ConfiguredRepository.storeDirectory(fileURL).path
    guard let encryptionKey else { return try backup(to: directory) }
    try backup(to: directory, encryptedWith: .key(encryptionKey))
  }

  /// Writes a compacted copy of the store that can be opened with a configuration. The store may be in use.
  ///
  /// The copy is encrypted with the ``Configuration/encryptionKey`` of the configuration. Without a key it is
  /// unencrypted.
  ///
  /// - Throws: the errors of ``writeCopy(toFile:encryptionKey:)``; ``FiefError`` of code `cannotOpen` if the
  ///   configuration has no file, and of code `encryptionRequired` if it has no key and a property of the
  ///   store is secret.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw FiefError(.cannotOpen, "A copy needs a file, but the configuration has no fileURL.")
    }
    if try configuration.encryptionKey == nil && isEncrypted {
      return try backup(to: ConfiguredRepository.storeDirectory(url).path, encryptedWith: nil)
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }
}
