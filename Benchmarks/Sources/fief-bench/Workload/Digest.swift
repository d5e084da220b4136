import Foundation

/// The properties that digests are computed from: the values of a person, and every object that has them.
protocol PersonProperties {
  var id: Int { get }
  var name: String { get }
  var email: String { get }
  var age: Int { get }
  var balance: Double { get }
  var active: Bool { get }
  var createdAtSeconds: Double { get }
  var note: String { get }
}

extension Person: PersonProperties {
  var createdAtSeconds: Double { createdAt }
}

/// Digests as in `Peers/common.hpp`: a cheap one that touches each field, and one of every byte.
enum Digest {
  @inline(__always)
  static func cheap(_ person: some PersonProperties) -> UInt64 {
    var sum = UInt64(bitPattern: Int64(person.id)) &* 31
    sum &+= UInt64(bitPattern: Int64(person.age)) &* 7
    sum &+= person.balance.bitPattern
    sum &+= person.createdAtSeconds.bitPattern &* 3
    sum &+= person.active ? 11 : 0
    sum &+= text(person.name, last: 1, weight: 1009, countWeight: 1)
    sum &+= text(person.email, last: 11, weight: 2003, countWeight: 5)
    sum &+= text(person.note, last: 1, weight: 4001, countWeight: 13)
    return sum
  }

  static func full(_ person: some PersonProperties) -> UInt64 {
    var hash: UInt64 = 1_469_598_103_934_665_603
    for text in [person.name, person.email, person.note] {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      hash = (hash ^ 0xFF) &* 1_099_511_628_211
    }
    return SplitMix.mix(hash ^ cheap(person))
  }

  /// Adds a digest to those before it, where the order counts.
  static func ordered(_ sum: UInt64, _ digest: UInt64) -> UInt64 {
    SplitMix.mix(sum &* 0x9E37_79B9_7F4A_7C15 &+ digest)
  }

  /// The length of a text and its byte at `last` from the end, read in place as the other peers do.
  @inline(__always)
  private static func text(_ text: String, last: Int, weight: UInt64, countWeight: UInt64) -> UInt64 {
    let found = text.utf8.withContiguousStorageIfAvailable { bytes in
      (bytes.count >= last ? UInt64(bytes[bytes.count &- last]) : 0) &* weight
        &+ UInt64(truncatingIfNeeded: bytes.count) &* countWeight
    }
    // Texts of the store are contiguous.
    return found ?? 0
  }
}

/// The number of objects in an answer, and the sum of their digests.
struct Tally: Equatable {
  var count = 0
  var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ digest: UInt64) {
    count += 1
    sum &+= digest
  }
}
