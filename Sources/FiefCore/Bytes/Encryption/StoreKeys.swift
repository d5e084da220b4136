/// The user's key of encrypted stores, which wraps the data keys of each store.
///
/// `FiefEncryption` makes them: `.key`, `.keyFile`, `.passphrase`, `.provider`. Methods may take as long as the derivation of a
/// key from a passphrase does.
public protocol StoreKeys: Sendable {
  /// Makes the header of a store that is to be encrypted, with a data key of its own.
  ///
  /// - Parameter store: the name of the store, for a key that depends on it and for errors.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/invalidKey`` where the key cannot be had, or has no valid length.
  func makeHeader(ofStore store: String) throws -> [UInt8]

  /// Opens the header of an encrypted store, whatever name it had when the header was made.
  ///
  /// Each call returns a cipher of its own: its keys are wiped when the store is closed (``StoreCipher/wipe()``).
  ///
  /// - Parameters:
  ///   - header: the bytes of ``makeHeader(ofStore:)`` or ``StoreCipher/header(for:ofStore:)``.
  ///   - store: the name of the store.
  /// - Throws: ``FiefError`` of code ``FiefError/Code/wrongKey`` where it was not made with this key,
  ///   ``FiefError/Code/invalidKey`` where the key cannot be had, ``FiefError/Code/damagedStore`` where the header is none,
  ///   ``FiefError/Code/formatTooNew`` where a newer version has made it.
  func unlock(_ header: [UInt8], ofStore store: String) throws -> any StoreCipher
}
