import CSodium
import LMDB

/// Generates nonces of 24 bytes: random bytes, mixed with a keyed hash of the encrypted value.
///
/// Random bytes are generated for a few dozen nonces at a time, because each generation is a system call. Two
/// copies of a running process or machine share these bytes; the hash then keeps their nonces distinct for
/// different values. If two copies encrypt the same value in the same context, the results are equal, and
/// reveal only that. A forked process generates new bytes.
final class Nonces: Sendable {
  static let count = 24
  /// The maximum number of bytes that are hashed. For longer values, generating random bytes is cheaper.
  static let longestHashed = 512

  /// Random bytes for nonces, followed by the keys of the hashes.
  private struct State {
    var bytes: [UInt8]
    var next: Int
    var generation: UInt32
  }

  private static let supply = 64 * count
  private static let keys = 2 * Int(crypto_shorthash_siphashx24_KEYBYTES)
  private let state = OwnedLock(
    State(bytes: [UInt8](repeating: 0, count: supply + keys), next: supply, generation: 0)
  )
  private let draw: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// - Parameter draw: fills memory with random bytes.
  init(
    draw: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void = {
      if let start = $0.baseAddress { randombytes_buf(start, $0.count) }
    }
  ) {
    self.draw = draw
  }

  /// Writes a nonce for a value in a context.
  func next(
    for value: UnsafeRawBufferPointer,
    in context: UnsafeRawBufferPointer,
    into place: UnsafeMutableRawPointer
  ) {
    let nonce = UnsafeMutableRawBufferPointer(start: place, count: Self.count)
    if value.count + context.count > Self.longestHashed { return draw(nonce) }
    var keys: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    state.withLock { state in
      let generation = ForkGuard.currentGeneration
      if state.next == Self.supply || state.generation != generation {
        state.bytes.withUnsafeMutableBytes { draw($0) }
        state.next = 0
        state.generation = generation
      }
      state.bytes.withUnsafeBytes { bytes in
        nonce.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[state.next..<state.next + Self.count]))
        withUnsafeMutableBytes(of: &keys) {
          $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Self.supply...]))
        }
      }
      state.next += Self.count
    }
    withUnsafeBytes(of: &keys) { keys in
      // Two hashes of 16 bytes: the hash of the value for the first bytes, and the hash of the context for
      // the last bytes.
      Self.mix(value, key: UnsafeRawBufferPointer(rebasing: keys[..<16]), into: place, at: 0)
      Self.mix(context, key: UnsafeRawBufferPointer(rebasing: keys[16...]), into: place, at: 8)
    }
  }

  /// Mixes a hash of bytes into a nonce at an offset.
  private static func mix(
    _ bytes: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    into nonce: UnsafeMutableRawPointer,
    at offset: Int
  ) {
    guard let key = key.baseAddress else { return }
    var hash: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &hash) { hash in
      guard let hash = hash.baseAddress else { return }
      // SAFETY: the hash and the key have 16 bytes each.
      crypto_shorthash_siphashx24(
        hash.assumingMemoryBound(to: UInt8.self),
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        UInt64(bytes.count),
        key.assumingMemoryBound(to: UInt8.self)
      )
    }
    // SAFETY: the nonce has 24 bytes, and the offset is at most 8.
    let (first, second) = (nonce + offset, nonce + (offset + 8))
    first.storeBytes(of: first.loadUnaligned(as: UInt64.self) ^ hash.0, as: UInt64.self)
    second.storeBytes(of: second.loadUnaligned(as: UInt64.self) ^ hash.1, as: UInt64.self)
  }
}
