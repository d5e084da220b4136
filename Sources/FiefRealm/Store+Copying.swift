import Fief
import FiefEncryption
public import Foundation

extension Store {
  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameters:
  ///   - fileURL: the place of the copy, as ``Configuration/fileURL``; it must not exist. Parents that are missing are made.
  ///   - encryptionKey: the key of the copy, 64 bytes (32 are taken too). Without one the copy of an encrypted store has the
  ///     store's key; ``writeCopy(configuration:)`` makes one in clear.
  /// - Throws: ``FiefError`` of code `cannotOpen` where the place exists or its parents cannot be made,
  ///   `storeFull` where the disk is full; with a key those of `backup(to:encryptedWith:)`. Nothing is left behind then.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    let directory = ConfiguredRepository.storeDirectory(fileURL).path
    guard let encryptionKey else { return try backup(to: directory) }
    try backup(to: directory, encryptedWith: .key(encryptionKey))
  }

  /// Writes a compacted copy of the store to the place of a configuration while it is in use, as the configuration opens it: with
  /// its ``Configuration/encryptionKey``, or in clear where it has none.
  ///
  /// - Throws: as ``writeCopy(toFile:encryptionKey:)``; ``FiefError`` of code `cannotOpen` for a configuration that names no
  ///   file; `encryptionRequired` for one without a key where a property of the store is secret.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw FiefError(.cannotOpen, "A copy is written to a file, which the configuration does not name.")
    }
    if try configuration.encryptionKey == nil && isEncrypted {
      return try backup(to: ConfiguredRepository.storeDirectory(url).path, encryptedWith: nil)
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }
}
