public import Fief
public import Foundation

extension StoreEncryption {
  /// A key of 32 bytes; 64 bytes, as Realm's keys have, are taken too.
  ///
  /// ```swift
  /// options.encryption = .key(try keychain.key(of: "payments"))
  /// ```
  /// Another length is an error of code `invalidKey` when the store is opened.
  public static func key(_ bytes: Data) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .bytes(bytes)))
  }

  /// A key in a file of its own, read when the store is opened.
  ///
  /// The file is a regular one of this user's with the mode 0600 or 0400, has exactly 32 bytes (or 64, as Realm's keys have), and is
  /// no link; else opening the store fails with `invalidKey`. ``makeKeyFile(at:)`` makes one. A key file beside the
  /// store protects copies and backups of the store, not a disk that is stolen with both.
  ///
  /// - Parameter path: the path of the file.
  public static func keyFile(_ path: String) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .file(path)))
  }

  /// A passphrase, from which the key is derived with Argon2id: three passes over 64 MiB, a good tenth of a second for each opening.
  ///
  /// The salt and these numbers are in the store. The same text in another form of Unicode is the same passphrase; an empty one is an
  /// error of code `invalidKey`.
  public static func passphrase(_ text: String) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .passphrase(text)))
  }

  /// A key that a closure gives, each time that a store is opened or its key is changed.
  ///
  /// ```swift
  /// options.encryption = .provider { store in try keychain.key(of: store) }
  /// ```
  /// - Parameter body: gets the name of the store and returns 32 bytes, or 64 as Realm's keys have. What it throws is the
  ///   underlying error of one of code `invalidKey`.
  public static func provider(_ body: @escaping @Sendable (_ store: String) throws -> Data) -> StoreEncryption
  {
    StoreEncryption(UserKeys(source: .provider(body)))
  }

  /// A random key, which is nowhere but in the memory of the process.
  package static func random() -> StoreEncryption {
    var generator = SystemRandomNumberGenerator()
    return .key(Data((0..<SecretBytes.count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
  }

  /// Makes a file with a random key, of the mode 0600.
  ///
  /// It is on the disk when the call returns. Keep a copy elsewhere: nothing opens the store without it.
  ///
  /// - Parameter path: the path of a file that does not exist.
  /// - Throws: `FiefError` of code `invalidKey` where it exists or cannot be written; nothing is left then.
  public static func makeKeyFile(at path: String) throws { try KeyFile.make(path) }
}
