import CSodium
import Fief

/// The library of cryptography, once it has been initialised.
enum Sodium {
  /// Whether it can be used. Initialising it more than once does nothing, and threads may do it at the same time.
  private static let isReady = sodium_init() >= 0

  /// - Throws: ``FiefError`` of code `invalidKey` where the library cannot be used.
  static func prepare() throws {
    guard isReady else {
      throw FiefError(
        .invalidKey,
        "libsodium cannot be initialised: the system has no source of random bytes."
      )
    }
  }

  /// BLAKE2b of a text and bytes.
  ///
  /// - Parameters:
  ///   - key: 32 bytes; nil for a hash without a key.
  ///   - context: what the hash is for.
  ///   - output: 16 to 64 bytes, the length of the hash.
  static func hash(
    key: SecretBytes?,
    _ context: StaticString,
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) {
    withUnsafeTemporaryAllocation(byteCount: context.utf8CodeUnitCount + input.count, alignment: 1) { whole in
      whole.copyMemory(
        from: UnsafeRawBufferPointer(start: context.utf8Start, count: context.utf8CodeUnitCount)
      )
      UnsafeMutableRawBufferPointer(rebasing: whole[context.utf8CodeUnitCount...]).copyMemory(from: input)
      hash(key: key, UnsafeRawBufferPointer(whole), into: output)
      if let place = whole.baseAddress { sodium_memzero(place, whole.count) }
    }
  }

  static func hash(
    key: SecretBytes?,
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) {
    guard let place = output.bindMemory(to: UInt8.self).baseAddress else { return }
    // SAFETY: each pointer has as many bytes as are said.
    crypto_generichash(
      place,
      output.count,
      input.bindMemory(to: UInt8.self).baseAddress,
      UInt64(input.count),
      key?.start,
      key == nil ? 0 : SecretBytes.count
    )
  }

  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }
}
