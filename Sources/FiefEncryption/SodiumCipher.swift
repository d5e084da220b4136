import CSodium
import Fief

/// Encrypts with XChaCha20-Poly1305 and the data keys of one store (draft-irtf-cfrg-xchacha-03).
///
/// An encrypted value consists of the number of its data key (1 byte), the nonce (24 bytes), the encrypted
/// bytes and the tag (16 bytes).
final class SodiumCipher: StoreCipher {
  private static let head = 1 + Nonces.count
  private static let tag = 16

  let keys: DataKeys
  private let newest: (number: UInt8, key: SecretBytes)
  private let nonces = Nonces()

  init(_ keys: DataKeys) {
    self.keys = keys
    newest = keys.newest
  }

  var overhead: Int { Self.head + Self.tag }

  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    guard let place = sealed.baseAddress, sealed.count == value.count + overhead else { return }
    place.storeBytes(of: newest.number, as: UInt8.self)
    nonces.next(for: value, in: context, into: place + 1)
    Self.encrypt(value, key: newest.key, nonce: place + 1, context, into: place + Self.head)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let place = sealed.baseAddress, sealed.count >= overhead, value.count == sealed.count - overhead
    else {
      return false
    }
    let number = place.load(as: UInt8.self)
    guard let key = number == newest.number ? newest.key : keys.key(number) else { return false }
    return Self.decrypt(place + Self.head, key: key, nonce: place + 1, context, into: value)
  }

  func token(
    of bytes: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into token: UnsafeMutableRawBufferPointer
  ) {
    withUnsafeTemporaryAllocation(byteCount: 8 + context.count + bytes.count, alignment: 8) { input in
      // The length separates the context from the bytes.
      input.storeBytes(of: UInt64(context.count).littleEndian, as: UInt64.self)
      UnsafeMutableRawBufferPointer(rebasing: input[8..<(8 + context.count)]).copyMemory(from: context)
      UnsafeMutableRawBufferPointer(rebasing: input[(8 + context.count)...]).copyMemory(from: bytes)
      Sodium.hash(key: keys.token, UnsafeRawBufferPointer(input), into: token)
    }
  }

  func header(for keys: any StoreKeys, ofStore store: String) throws -> [UInt8] {
    try Self.userKeys(keys, ofStore: store).header(of: self.keys, ofStore: store)
  }

  func renewed(for keys: any StoreKeys, ofStore store: String) throws -> (
    header: [UInt8], cipher: any StoreCipher
  ) {
    // The token key is copied, because each cipher wipes its own keys.
    let token = try SecretBytes { $0.copyMemory(from: self.keys.token.bytes) }
    let renewed = try DataKeys(token: token, values: [(1, .random())])
    return try Self.userKeys(keys, ofStore: store).cipher(of: renewed, ofStore: store)
  }

  private static func userKeys(_ keys: any StoreKeys, ofStore store: String) throws -> UserKeys {
    guard let keys = keys as? UserKeys else {
      throw FiefError(.invalidKey, "The new key belongs to another cryptography library.", store: store)
    }
    return keys
  }

  func temporary() throws -> any StoreCipher { SodiumCipher(try .random()) }

  func wipeValueKeys() {
    for (_, key) in keys.values { key.wipe() }
  }

  func wipe() {
    wipeValueKeys()
    keys.token.wipe()
    keys.keys.wipe()
  }

  // MARK: The algorithm

  /// Writes the encrypted bytes, followed by the tag.
  static func encrypt(
    _ value: UnsafeRawBufferPointer,
    key: SecretBytes,
    nonce: UnsafeRawPointer,
    _ context: UnsafeRawBufferPointer,
    into place: UnsafeMutableRawPointer
  ) {
    // SAFETY: the buffers have at least the given lengths, and the output has room for the tag.
    crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      place.assumingMemoryBound(to: UInt8.self),
      (place + value.count).assumingMemoryBound(to: UInt8.self),
      nil,
      value.baseAddress?.assumingMemoryBound(to: UInt8.self),
      UInt64(value.count),
      context.baseAddress?.assumingMemoryBound(to: UInt8.self),
      UInt64(context.count),
      nil,
      nonce.assumingMemoryBound(to: UInt8.self),
      key.start
    )
  }

  static func decrypt(
    _ place: UnsafeRawPointer,
    key: SecretBytes,
    nonce: UnsafeRawPointer,
    _ context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    // SAFETY: as in `encrypt`.
    crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
      value.baseAddress?.assumingMemoryBound(to: UInt8.self),
      nil,
      place.assumingMemoryBound(to: UInt8.self),
      UInt64(value.count),
      (place + value.count).assumingMemoryBound(to: UInt8.self),
      context.baseAddress?.assumingMemoryBound(to: UInt8.self),
      UInt64(context.count),
      nonce.assumingMemoryBound(to: UInt8.self),
      key.start
    ) == 0
  }
}
