import CSodium
import Fief

/// Access to libsodium, which is initialized before use.
enum Sodium {
  /// Whether libsodium can be used. Initializing it more than once, also from several threads, has no effect.
  private static let isReady = sodium_init() >= 0

  /// - Throws: ``FiefError`` of code `invalidKey` if libsodium cannot be used.
  static func prepare() throws {
    guard isReady else {
      throw FiefError(
        .invalidKey,
        "libsodium cannot be initialized: the system has no source of random bytes."
      )
    }
  }

  /// Computes the BLAKE2b hash of a context followed by bytes.
  ///
  /// - Parameters:
  ///   - key: 32 bytes, or `nil` for a hash without a key.
  ///   - context: the purpose of the hash.
  ///   - output: 16 to 64 bytes, which receive a hash of this length.
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
    // SAFETY: each pointer has at least the given number of bytes.
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
