import CSodium
import Fief

/// Deterministic encryption of object keys, so that equal keys stay equal: an encrypted key is a token of the
/// key, followed by the key encrypted with a nonce derived from the token.
extension SodiumCipher {
  private static let token = 16

  func sealKey(
    _ key: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    guard sealed.count == key.count + Self.token else { return }
    let token = UnsafeMutableRawBufferPointer(rebasing: sealed[..<Self.token])
    self.token(of: key, for: context, into: token)
    encrypt(key, UnsafeRawBufferPointer(token), into: .init(rebasing: sealed[Self.token...]))
  }

  func openKey(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard sealed.count >= Self.token, key.count == sealed.count - Self.token else { return false }
    let token = UnsafeRawBufferPointer(rebasing: sealed[..<Self.token])
    encrypt(UnsafeRawBufferPointer(rebasing: sealed[Self.token...]), token, into: key)
    return withUnsafeTemporaryAllocation(byteCount: Self.token, alignment: 8) { found in
      self.token(of: UnsafeRawBufferPointer(key), for: context, into: found)
      guard let found = found.baseAddress, let token = token.baseAddress else { return false }
      return sodium_memcmp(found, token, Self.token) == 0
    }
  }

  /// Encrypts bytes, or decrypts encrypted bytes. The token is computed from the plain bytes, so different
  /// bytes never share a nonce.
  private func encrypt(
    _ bytes: UnsafeRawBufferPointer,
    _ token: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) {
    guard let start = token.baseAddress, let input = bytes.baseAddress, let output = output.baseAddress else {
      return
    }
    withUnsafeTemporaryAllocation(byteCount: Nonces.count, alignment: 8) { nonce in
      nonce.copyMemory(from: UnsafeRawBufferPointer(start: start, count: Self.token))
      for index in Self.token..<Nonces.count { nonce[index] = 0 }
      guard let nonce = nonce.bindMemory(to: UInt8.self).baseAddress else { return }
      // SAFETY: both buffers have at least the given length, the nonce has 24 bytes and the key 32.
      crypto_stream_xchacha20_xor(
        output.assumingMemoryBound(to: UInt8.self),
        input.assumingMemoryBound(to: UInt8.self),
        UInt64(bytes.count),
        nonce,
        keys.keys.start
      )
    }
  }
}
