import Foundation
import Synchronization

/// The IDs of unset properties, which are created in two steps.
///
/// The property of a new object takes a ticket. This costs only a few nanoseconds, which matters because each
/// object that is read takes a ticket and discards it. When the ID is first needed, it is computed from the
/// ticket. The result is always the same, so that a copy of the wrapper and the object agree on the ID.
enum UnsetIdentifiers {
  private static let tickets = Atomic<UInt64>(0)
  private static let key = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  private static func nextTicket() -> UInt64 { tickets.add(1, ordering: .relaxed).oldValue }

  static func uuidTicket() -> UUID {
    let ticket = (UInt64(0), nextTicket())
    // SAFETY: both are 16 bytes without padding, and any bytes are a valid `uuid_t`.
    return UUID(uuid: unsafeBitCast(ticket, to: uuid_t.self))
  }

  /// Returns a UUID (version 4) that cannot be distinguished from a random UUID without the process's key.
  static func uuid(of ticket: UUID) -> UUID {
    let number = withUnsafeBytes(of: ticket.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
    // A forked child has its parent's key and tickets, so the process ID is included.
    let process = UInt64(truncatingIfNeeded: getpid())
    let high = SipHash.hash(number, process << 1, key: key)
    let low = SipHash.hash(number, process << 1 | 1, key: key)
    let versioned = (high & ~0xF000) | 0x4000
    let marked = (low & ~(3 << 62)) | (2 << 62)
    let bytes = (versioned.bigEndian, marked.bigEndian)
    // SAFETY: both are 16 bytes without padding, and any bytes are a valid `uuid_t`.
    return UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
  }

  static func objectIdTicket() -> ObjectId {
    ObjectId(
      high: UInt64(UInt32(truncatingIfNeeded: time(nil))) << 32,
      low: UInt32(truncatingIfNeeded: nextTicket() & 0xFF_FFFF)
    )
  }

  /// Returns the ID with the time of its ticket. Its random part differs from every other ID of the process.
  static func objectId(of ticket: ObjectId) -> ObjectId {
    let random = SipHash.hash(UInt64(truncatingIfNeeded: getpid()), .max, key: key) >> 24
    return ObjectId(
      high: ticket.high | (random >> 8),
      low: ticket.low | UInt32(truncatingIfNeeded: random & 0xFF) << 24
    )
  }
}

/// SipHash-2-4 of two words.
enum SipHash {
  static func hash(_ first: UInt64, _ second: UInt64, key: (UInt64, UInt64)) -> UInt64 {
    var state = State(key)
    // The last word contains the length, 16 bytes.
    for word in [first, second, 16 << 56] { state.absorb(word) }
    return state.finish()
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736f_6d65_7073_6575
      v1 = key.1 ^ 0x646f_7261_6e64_6f6d
      v2 = key.0 ^ 0x6c79_6765_6e65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func finish() -> UInt64 {
      v2 ^= 0xFF
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v1 = rotated(v1, 13) ^ v0
      v0 = rotated(v0, 32)
      v2 &+= v3
      v3 = rotated(v3, 16) ^ v2
      v0 &+= v3
      v3 = rotated(v3, 21) ^ v0
      v2 &+= v1
      v1 = rotated(v1, 17) ^ v2
      v2 = rotated(v2, 32)
    }

    private func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
      value << count | value >> (64 - count)
    }
  }
}
