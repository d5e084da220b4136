import Foundation

/// What digests are made of: the values of a person, and every object that has them.
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
    let name = person.name
    let email = person.email
    let note = person.note
    sum &+= byte(name, fromEnd: 1) &* 1009 &+ UInt64(name.utf8.count)
    sum &+= byte(email, fromEnd: 11) &* 2003 &+ UInt64(email.utf8.count) &* 5
    sum &+= byte(note, fromEnd: 1) &* 4001 &+ UInt64(note.utf8.count) &* 13
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

  @inline(__always)
  private static func byte(_ text: String, fromEnd distance: Int) -> UInt64 {
    let bytes = text.utf8
    guard bytes.count >= distance else { return 0 }
    return UInt64(bytes[bytes.index(bytes.endIndex, offsetBy: -distance)])
  }
}

/// How many objects an answer has, and the sum of their digests.
struct Tally: Equatable {
  var count = 0
  var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ digest: UInt64) {
    count += 1
    sum &+= digest
  }
}
