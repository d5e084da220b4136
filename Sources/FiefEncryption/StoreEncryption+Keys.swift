public import Fief
public import Foundation

extension StoreEncryption {
  /// Returns encryption with a key of 32 bytes. A key of 64 bytes, as Realm uses, is accepted, too.
  ///
  /// ```swift
  /// options.encryption = .key(try keychain.key(of: "payments"))
  /// ```
  /// A key of a different length causes an error of code `invalidKey` when the store is opened.
  public static func key(_ bytes: Data) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .bytes(bytes)))
  }

  /// Returns encryption with a key from a file, which is read when the store is opened.
  ///
  /// The file must be a regular file, not a symbolic link, owned by this user with mode 0600 or 0400, and
  /// must contain exactly 32 bytes (or 64, like Realm's keys). Otherwise opening the store fails with
  /// `invalidKey`. ``makeKeyFile(at:)`` creates such a file. A key file beside the store protects copies and
  /// backups of the store, but not against theft of a disk that contains both.
  ///
  /// - Parameter path: the path of the file.
  public static func keyFile(_ path: String) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .file(path)))
  }

  /// Returns encryption with a passphrase, from which the key is derived with Argon2id: three passes over 64
  /// MiB, which takes more than a tenth of a second each time a store is opened.
  ///
  /// The store contains the salt and these parameters. Passphrases that differ only in their Unicode
  /// normalization are equal. An empty passphrase is an error of code `invalidKey`.
  public static func passphrase(_ text: String) -> StoreEncryption {
    StoreEncryption(UserKeys(source: .passphrase(text)))
  }

  /// Returns encryption with a key from a closure, which is called each time a store is opened or its key is
  /// changed.
  ///
  /// ```swift
  /// options.encryption = .provider { store in try keychain.key(of: store) }
  /// ```
  /// - Parameter body: receives the name of the store and returns 32 bytes (or 64, like Realm's keys). If it
  ///   throws, opening fails with `invalidKey`, and the error is the underlying error.
  public static func provider(_ body: @escaping @Sendable (_ store: String) throws -> Data) -> StoreEncryption
  {
    StoreEncryption(UserKeys(source: .provider(body)))
  }

  /// Returns encryption with a random key that exists only in the memory of the process.
  package static func random() -> StoreEncryption {
    var generator = SystemRandomNumberGenerator()
    return .key(Data((0..<SecretBytes.count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
  }

  /// Creates a file with a random key and mode 0600.
  ///
  /// The file is on disk when the method returns. Keep a copy elsewhere: without the key the store cannot be
  /// opened.
  ///
  /// - Parameter path: the path of a file that does not exist.
  /// - Throws: `FiefError` of code `invalidKey` if the file exists or cannot be written. An incomplete file
  ///   is removed.
  public static func makeKeyFile(at path: String) throws { try KeyFile.make(path) }
}
