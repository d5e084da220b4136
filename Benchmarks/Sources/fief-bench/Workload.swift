import Fief
import Foundation

/// What `Peers/common.hpp` calls Person: the same values for the same id.
struct Person {
  var id = 0
  var name = ""
  var email = ""
  var age = 0
  var balance = 0.0
  var active = false
  /// Seconds since 1970, a multiple of one half.
  var createdAt = 0.0
  var note = ""

  init(id: Int) {
    var random = SplitMix(
      state: SplitMix.mix(SplitMix.seed ^ (UInt64(bitPattern: Int64(id)) &* 0xD1B5_4A32_D192_ED03))
    )
    self.id = id
    name = Self.letters(random.next(), count: 12, isName: true)
    let digits = String(id % 1_000_000)
    email = Self.letters(random.next(), count: 8, isName: false)
    email += String(repeating: "0", count: 6 - digits.count) + digits + "@mail.test"
    age = Int(random.next() % 100)
    balance = Double(random.next() % 10_000_000) / 100
    active = random.next() & 1 != 0
    createdAt = 1_700_000_000 + Double(random.next() % 200_000) * 0.5
    var bytes: [UInt8] = []
    for _ in 0..<8 {
      var value = random.next()
      for _ in 0..<10 {
        let letter = UInt8(value % 30)
        value /= 30
        bytes.append(letter < 26 ? UInt8(ascii: "a") + letter : UInt8(ascii: " "))
      }
    }
    note = String(decoding: bytes, as: UTF8.self)
  }

  private static func letters(_ value: UInt64, count: Int, isName: Bool) -> String {
    var value = value
    var bytes: [UInt8] = []
    for index in 0..<count {
      bytes.append(UInt8(ascii: index == 0 && isName ? "A" : "a") + UInt8(value % 26))
      value /= 26
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

struct SplitMix {
  static let seed: UInt64 = 0x5_DEEC_E66D
  var state: UInt64

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }
}

/// What is stored: an application's class, as the README would have it.
final class StoredPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var email = ""
  @Persisted var age = 0
  @Persisted var balance = 0.0
  @Persisted var active = false
  @Persisted var createdAt: Date
  @Persisted var note = ""

  convenience init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    email = person.email
    age = person.age
    balance = person.balance
    active = person.active
    createdAt = Date(timeIntervalSince1970: person.createdAt)
    note = person.note
  }
}

/// Digests as in `Peers/common.hpp`: a cheap one that touches each field, and one of every byte.
enum Digest {
  @inline(__always)
  static func cheap(_ person: StoredPerson) -> UInt64 {
    var sum = UInt64(bitPattern: Int64(person.id)) &* 31
    sum &+= UInt64(bitPattern: Int64(person.age)) &* 7
    sum &+= person.balance.bitPattern
    sum &+= person.createdAt.timeIntervalSince1970.bitPattern &* 3
    sum &+= person.active ? 11 : 0
    sum &+= byte(person.name, fromEnd: 1) &* 1009 &+ UInt64(person.name.utf8.count)
    sum &+= byte(person.email, fromEnd: 11) &* 2003 &+ UInt64(person.email.utf8.count) &* 5
    sum &+= byte(person.note, fromEnd: 1) &* 4001 &+ UInt64(person.note.utf8.count) &* 13
    return sum
  }

  static func full(_ person: StoredPerson) -> UInt64 {
    var hash: UInt64 = 1_469_598_103_934_665_603
    for text in [person.name, person.email, person.note] {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      hash = (hash ^ 0xFF) &* 1_099_511_628_211
    }
    return SplitMix.mix(hash ^ cheap(person))
  }

  @inline(__always)
  private static func byte(_ text: String, fromEnd distance: Int) -> UInt64 {
    let bytes = text.utf8
    guard bytes.count >= distance else { return 0 }
    return UInt64(bytes[bytes.index(bytes.endIndex, offsetBy: -distance)])
  }
}

/// The digests that the rows of a run have to give.
struct Expectation: Equatable {
  var sumDigest: UInt64 = 0
  var sumFull: UInt64 = 0
  var randomSum: UInt64 = 0

  /// - Parameter lines: what the peers print with `PRINT_EXPECT`, or `Peers/expect.txt`.
  init(lines: String) throws {
    var values: [Substring: UInt64] = [:]
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count == 2, let value = UInt64(fields[1]) { values[fields[0]] = value }
    }
    guard let sumDigest = values["sumDigest"], let sumFull = values["sumFull"], let random = values["rndSum"]
    else { throw BenchmarkError("the expected digests cannot be read") }
    self.sumDigest = sumDigest
    self.sumFull = sumFull
    self.randomSum = random
  }

  init(persons: [StoredPerson], randomKeys: [Int]) {
    for person in persons {
      sumDigest &+= Digest.cheap(person)
      sumFull &+= Digest.full(person)
    }
    for key in randomKeys { randomSum &+= Digest.cheap(persons[key - 1]) }
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
