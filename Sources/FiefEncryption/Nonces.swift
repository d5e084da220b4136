import CSodium
import LMDB

/// Random nonces, 24 bytes each: so many that no two are the same in the life of any store.
///
/// They are drawn a few dozen at a time, since each draw is a call of the system. A process that was forked off draws new ones.
final class Nonces: Sendable {
  static let count = 24

  private struct State {
    var bytes: [UInt8]
    var next: Int
    var generation: UInt32
  }

  private static let supply = 64 * count
  private let state = OwnedLock(
    State(bytes: [UInt8](repeating: 0, count: supply), next: supply, generation: 0)
  )

  func next(into place: UnsafeMutableRawPointer) {
    state.withLock { state in
      let generation = ForkGuard.currentGeneration
      if state.next == Self.supply || state.generation != generation {
        randombytes_buf(&state.bytes, Self.supply)
        state.next = 0
        state.generation = generation
      }
      // SAFETY: the range lies in `bytes`, and `place` has room for a nonce.
      state.bytes.withUnsafeBytes { bytes in
        place.copyMemory(
          from: bytes.baseAddress.map { $0 + state.next } ?? UnsafeRawPointer(place),
          byteCount: Self.count
        )
      }
      state.next += Self.count
    }
  }
}
