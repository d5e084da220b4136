/// The user's key of encrypted stores, which wraps the data keys of each store.
///
/// `FiefEncryption` creates them: `.key`, `.keyFile`, `.passphrase`, `.provider`. The methods may take as
/// long as deriving a key from a passphrase.
public protocol StoreKeys: Sendable {
  /// Creates the data keys of a store to be encrypted. The user's key is derived once.
  ///
  /// - Parameter store: the name of the store, for keys that depend on it and for errors.
  /// - Returns: the header with the wrapped data keys, and the cipher that ``unlock(_:ofStore:)`` would return
  ///   for it.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/invalidKey`` if the key is unavailable or has an
  ///   invalid length.
  func makeCipher(ofStore store: String) throws -> (header: [UInt8], cipher: any StoreCipher)

  /// Opens the header of an encrypted store. The store may have had another name when the header was created.
  ///
  /// Each call returns a new cipher. Its keys are wiped when the store is closed (``StoreCipher/wipe()``).
  ///
  /// - Parameters:
  ///   - header: the bytes of ``makeCipher(ofStore:)`` or ``StoreCipher/header(for:ofStore:)``.
  ///   - store: the name of the store.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/wrongKey`` if the header was not created with this key,
  ///   ``FiefError/Code/invalidKey`` if the key is unavailable, ``FiefError/Code/damagedStore`` if the bytes
  ///   are not a valid header, ``FiefError/Code/formatTooNew`` if a newer version created the header.
  func unlock(_ header: [UInt8], ofStore store: String) throws -> any StoreCipher
}
