/// A generator whose numbers depend on the seed alone (splitmix64).
package struct TortureRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 to below `bound`.
  package mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
