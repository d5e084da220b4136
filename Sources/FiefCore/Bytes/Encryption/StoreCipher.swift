/// Seals and opens the values of one encrypted store, with the store's own data keys.
///
/// It is the seam between Fief and a library of cryptography; `FiefEncryption` has the one that applications use. Values are bound
/// to their place: a value that was sealed for one context does not open for another. Methods are called on any thread, several
/// at a time.
public protocol StoreCipher: AnyObject, Sendable {
  /// The number of bytes that a sealed value is longer than the value; the same for all values.
  var overhead: Int { get }

  /// Seals a value with the newest data key.
  ///
  /// - Parameters:
  ///   - value: the bytes in clear; no part of `sealed`.
  ///   - context: the place of the value, which opening it has to name too.
  ///   - sealed: where the sealed bytes go; ``overhead`` bytes longer than `value`.
  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a value.
  ///
  /// - Parameters:
  ///   - sealed: the sealed bytes; at least ``overhead``.
  ///   - context: the place of the value.
  ///   - value: where the bytes in clear go; ``overhead`` bytes shorter than `sealed`. They are undefined where it does not open.
  /// - Returns: whether it was sealed with a data key of the store, for this context, and is as it was.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Computes 16 bytes that stand for others: the same for the same bytes and context, and not to be computed without the data
  /// key of the store. Another wrapping of the data keys does not change it.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - context: what the token is for, such as an index.
  ///   - token: where it goes; 16 bytes.
  func token(
    of bytes: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into token: UnsafeMutableRawBufferPointer
  )

  /// Seals a key: the same bytes and context always give the same sealed bytes, so that they can be looked up.
  ///
  /// Who reads them learns which keys of a context are equal, how long they are, and nothing else of them. Another wrapping of the
  /// data keys does not change them.
  ///
  /// - Parameters:
  ///   - key: the bytes in clear; no part of `sealed`.
  ///   - context: what the key is of, which opening it has to name too.
  ///   - sealed: where the sealed bytes go; 16 bytes longer than `key`.
  func sealKey(
    _ key: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a key that ``sealKey(_:for:into:)`` has sealed.
  ///
  /// - Parameters:
  ///   - sealed: the sealed bytes; at least 16.
  ///   - context: what the key is of.
  ///   - key: where the bytes in clear go; 16 bytes shorter than `sealed`. They are undefined where it does not open.
  /// - Returns: whether it was sealed with the store's key of tokens, for this context, and is as it was.
  func openKey(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// The header of the store in which the data keys are wrapped by other keys of the user's; see ``StoreKeys/unlock(_:ofStore:)``.
  ///
  /// - Throws: ``FiefError`` of code ``FiefError/Code/invalidKey`` where the keys are of another kind, or cannot be had.
  func header(for keys: any StoreKeys, ofStore store: String) throws -> [UInt8]

  /// The header of the store with a new data key in place of all others, and the same tokens and sealed keys.
  ///
  /// - Throws: as ``header(for:ofStore:)``.
  func renewedHeader(for keys: any StoreKeys, ofStore store: String) throws -> [UInt8]

  /// A cipher for a temporary file, which may outlive the data keys of the store; by default this one.
  ///
  /// - Throws: ``FiefError`` of code `invalidKey` where there is no memory for a key.
  func temporary() throws -> any StoreCipher

  /// Wipes the data keys of values: the store was encrypted once more, or decrypted. Tokens and sealed keys stay as they are.
  ///
  /// Called when nothing seals or opens values any more, and so for ``wipe()``. The default does nothing.
  func wipeValueKeys()

  /// Wipes all data keys from the memory: the store is closed. What the other methods give afterwards means nothing; they must
  /// not trap.
  func wipe()
}

extension StoreCipher {
  /// This cipher.
  public func temporary() throws -> any StoreCipher { self }

  /// Does nothing.
  public func wipeValueKeys() {}

  /// Does nothing.
  public func wipe() {}
}
