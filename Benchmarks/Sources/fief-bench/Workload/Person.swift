/// The Person of `Peers/common.hpp`: the same values for the same id.
struct Person: Sendable {
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
    note = String(unsafeUninitializedCapacity: 80) { bytes in
      for word in 0..<8 {
        var value = random.next()
        for index in 0..<10 {
          let letter = UInt8(value % 30)
          value /= 30
          bytes[word * 10 + index] = letter < 26 ? UInt8(ascii: "a") + letter : UInt8(ascii: " ")
        }
      }
      return 80
    }
  }

  static func letters(_ value: UInt64, count: Int, isName: Bool) -> String {
    var value = value
    return String(unsafeUninitializedCapacity: count) { bytes in
      for index in 0..<count {
        bytes[index] = UInt8(ascii: index == 0 && isName ? "A" : "a") + UInt8(value % 26)
        value /= 26
      }
      return count
    }
  }
}

/// The Dog of `Peers/common.hpp`: three for each person.
struct DogValues: Sendable {
  let id: Int
  let name: String
  let age: Int

  init(id: Int) {
    var random = SplitMix(
      state: SplitMix.mix(
        SplitMix.seed ^ 0xD06D06 ^ (UInt64(bitPattern: Int64(id)) &* 0xA24B_AED4_963E_E407)
      )
    )
    self.id = id
    name = Person.letters(random.next(), count: 6, isName: false)
    age = Int(random.next() % 20)
  }

  static func ids(ofOwner owner: Int) -> ClosedRange<Int> { (owner * 3 - 2)...(owner * 3) }
}

/// The generator of all values.
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

  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
