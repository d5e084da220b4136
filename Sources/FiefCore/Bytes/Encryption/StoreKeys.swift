/// The user's key of encrypted stores, which wraps the data keys of each store.
///
/// `FiefEncryption` creates them: `.key`, `.keyFile`, `.passphrase`, `.provider`. The methods may take as
/// long as deriving a key from a passphrase.
public protocol StoreKeys: Sendable {
  /// Creates the header of a store to be encrypted, with a new data key.
  ///
  /// - Parameter store: the name of the store, for keys that depend on it and for errors.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/invalidKey`` if the key is unavailable or has an
  ///   invalid length.
  func makeHeader(ofStore store: String) throws -> [UInt8]

  /// Opens the header of an encrypted store. The store may have had another name when the header was created.
  ///
  /// Each call returns a new cipher. Its keys are wiped when the store is closed (``StoreCipher/wipe()``).
  ///
  /// - Parameters:
  ///   - header: the bytes of ``makeHeader(ofStore:)`` or ``StoreCipher/header(for:ofStore:)``.
  ///   - store: the name of the store.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/wrongKey`` if the header was not created with this key,
  ///   ``FiefError/Code/invalidKey`` if the key is unavailable, ``FiefError/Code/damagedStore`` if the bytes
  ///   are not a valid header, ``FiefError/Code/formatTooNew`` if a newer version created the header.
  func unlock(_ header: [UInt8], ofStore store: String) throws -> any StoreCipher
}
