/// Seals and opens the values of one encrypted store with the store's own data keys.
///
/// This protocol separates Fief from the cryptography library; `FiefEncryption` contains the implementation
/// that applications use. Values are bound to their context: a value that was sealed for one context cannot
/// be opened for another. The methods are called on any thread, and concurrently.
public protocol StoreCipher: AnyObject, Sendable {
  /// The number of bytes by which a sealed value is longer than the value. It is the same for all values.
  var overhead: Int { get }

  /// Seals a value with the newest data key.
  ///
  /// - Parameters:
  ///   - value: the plaintext. It does not overlap `sealed`.
  ///   - context: the context of the value, which is also required to open it.
  ///   - sealed: the buffer for the sealed bytes; ``overhead`` bytes longer than `value`.
  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a value.
  ///
  /// - Parameters:
  ///   - sealed: the sealed bytes; at least ``overhead``.
  ///   - context: the context of the value.
  ///   - value: the buffer for the plaintext; ``overhead`` bytes shorter than `sealed`. Its contents are
  ///     undefined if the value cannot be opened.
  /// - Returns: whether the value was sealed with a data key of the store, for this context, and is
  ///   unchanged.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Computes a 16-byte token for a value. Equal values in the same context have equal tokens; computing one
  /// requires the data key of the store. Wrapping the data keys again does not change tokens.
  ///
  /// - Parameters:
  ///   - bytes: the value.
  ///   - context: the use of the token, such as an index.
  ///   - token: the buffer for the token; 16 bytes.
  func token(
    of bytes: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into token: UnsafeMutableRawBufferPointer
  )

  /// Seals a key. Equal keys in the same context always have equal sealed bytes, so that sealed keys can be
  /// looked up.
  ///
  /// The sealed bytes reveal which keys of a context are equal and how long they are, and nothing else.
  /// Wrapping the data keys again does not change them.
  ///
  /// - Parameters:
  ///   - key: the plaintext. It does not overlap `sealed`.
  ///   - context: the context of the key, which is also required to open it.
  ///   - sealed: the buffer for the sealed bytes; 16 bytes longer than `key`.
  func sealKey(
    _ key: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a key that ``sealKey(_:for:into:)`` has sealed.
  ///
  /// - Parameters:
  ///   - sealed: the sealed bytes; at least 16.
  ///   - context: the context of the key.
  ///   - key: the buffer for the plaintext; 16 bytes shorter than `sealed`. Its contents are undefined if the
  ///     key cannot be opened.
  /// - Returns: whether the key was sealed with the store's token key, for this context, and is unchanged.
  func openKey(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Returns a header of the store in which other user keys wrap the data keys; see
  /// ``StoreKeys/unlock(_:ofStore:)``.
  ///
  /// - Throws: ``FiefError`` of code ``FiefError/Code/invalidKey`` if the keys are of another kind or
  ///   unavailable.
  func header(for keys: any StoreKeys, ofStore store: String) throws -> [UInt8]

  /// Returns a header of the store with a new data key that replaces all others, and the header's cipher.
  /// Tokens and sealed keys stay the same. The user's key is derived once.
  ///
  /// - Throws: as ``header(for:ofStore:)``.
  func renewed(for keys: any StoreKeys, ofStore store: String) throws -> (
    header: [UInt8], cipher: any StoreCipher
  )

  /// Returns a cipher for a temporary file, which may outlive the data keys of the store. By default it is
  /// this cipher.
  ///
  /// - Throws: ``FiefError`` of code `invalidKey` if there is no memory for a key.
  func temporary() throws -> any StoreCipher

  /// Wipes the data keys of values, after the store was encrypted again or decrypted. Tokens and sealed keys
  /// remain usable.
  ///
  /// Called when no value is sealed or opened any more, as is ``wipe()``. The default implementation does
  /// nothing.
  func wipeValueKeys()

  /// Wipes all data keys from memory, when the store is closed. Afterwards the results of the other methods
  /// are meaningless, but the methods must not trap.
  func wipe()
}

extension StoreCipher {
  /// Returns this cipher.
  public func temporary() throws -> any StoreCipher { self }

  /// Does nothing.
  public func wipeValueKeys() {}

  /// Does nothing.
  public func wipe() {}
}
