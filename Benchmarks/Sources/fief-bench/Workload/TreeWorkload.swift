/// A message of `Peers/tree.hpp`: the same values for the same number.
struct TreeMessage {
  let key: String
  let at: Int
  let from: String
  var likes: Int
  let text: String

  init(_ index: Int) {
    var random = SplitMix(
      state: SplitMix.mix(
        SplitMix.seed ^ 0x7EEE ^ (UInt64(index + 1) &* 0xD1B5_4A32_D192_ED03)
      )
    )
    at = 1_700_000_000_000 + index * 1000
    key = Self.key(at, &random)
    likes = random.next(below: 1000)
    from = "user\(10 + random.next(below: 90))"
    let count = 20 + random.next(below: 41)
    text = String(unsafeUninitializedCapacity: count) { bytes in
      var value: UInt64 = 0
      for index in 0..<count {
        if index % 10 == 0 { value = random.next() }
        let letter = UInt8(value % 30)
        value /= 30
        bytes[index] = letter < 26 ? UInt8(ascii: "a") + letter : UInt8(ascii: " ")
      }
      return count
    }
  }

  private static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

  /// A name of 20 characters: the time in milliseconds, then random ones.
  static func key(_ milliseconds: Int, _ random: inout SplitMix) -> String {
    let (first, second) = (random.next(), random.next())
    return String(unsafeUninitializedCapacity: 20) { bytes in
      for index in 0..<8 { bytes[index] = alphabet[milliseconds >> (42 - 6 * index) & 63] }
      for index in 0..<10 { bytes[8 + index] = alphabet[Int(first >> UInt64(6 * index) & 63)] }
      for index in 0..<2 { bytes[18 + index] = alphabet[Int(second >> UInt64(6 * index) & 63)] }
      return 20
    }
  }

  /// The digest of every byte of the four leaves.
  func hash(in page: String) -> UInt64 {
    TreeDigest.full(page, key, "at", at) &+ TreeDigest.full(page, key, "from", from)
      &+ TreeDigest.full(page, key, "likes", likes) &+ TreeDigest.full(page, key, "text", text)
  }

  var digest: UInt64 {
    TreeDigest.cheap(key, "at", at) &+ TreeDigest.cheap(key, "from", from)
      &+ TreeDigest.cheap(key, "likes", likes) &+ TreeDigest.cheap(key, "text", text)
  }
}

/// Digests of leaves as in `Peers/tree.hpp`.
enum TreeDigest {
  @inline(__always)
  private static func names(_ key: String, _ name: String) -> UInt64 {
    var sum: UInt64 = 0
    key.utf8.withContiguousStorageIfAvailable { sum &+= UInt64($0[$0.count - 1]) &* 1009 }
    name.utf8.withContiguousStorageIfAvailable { sum &+= UInt64($0[0]) &* 31 &+ UInt64($0.count) }
    return sum
  }

  @inline(__always)
  static func cheap(_ key: String, _ name: String, _ value: Int) -> UInt64 {
    names(key, name) &+ UInt64(bitPattern: Int64(value)) &* 7
  }

  @inline(__always)
  static func cheap(_ key: String, _ name: String, _ value: String) -> UInt64 {
    var sum = names(key, name)
    value.utf8.withContiguousStorageIfAvailable {
      sum &+= UInt64($0.count) &* 13 &+ UInt64($0[$0.count - 1]) &* 4001
    }
    return sum
  }

  private static func hash(_ texts: [some Sequence<UInt8>]) -> UInt64 {
    var hash: UInt64 = 1_469_598_103_934_665_603
    for text in texts {
      for byte in text { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      hash = (hash ^ 0xFF) &* 1_099_511_628_211
    }
    return SplitMix.mix(hash)
  }

  static func full(_ page: String, _ key: String, _ name: String, _ value: Int) -> UInt64 {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return hash([page, key, name].map { Array($0.utf8) } + [bytes])
  }

  static func full(_ page: String, _ key: String, _ name: String, _ value: String) -> UInt64 {
    hash([page.utf8, key.utf8, name.utf8, value.utf8])
  }
}

/// The data of the rows about trees, and the right answers: `TreeWorkload` in `Peers/tree.hpp`.
struct TreeWorkload {
  /// Pages of 250 messages of four leaves; four pages are a room.
  let pages: Int
  /// The number of children of the wide node.
  let wide: Int
  private let pickedMessages: [Int]
  /// The places of the messages that are changed.
  let picks: [(page: String, key: String)]
  let wideKeys: [String]
  let wideSum: Int
  private(set) var full: UInt64 = 0
  let names: UInt64

  init(count: Int) {
    pages = count >= 100_000 ? 1000 : max(1, min(100, count / 100))
    wide = pages * 1000
    let messages = pages * 250
    for index in 0..<messages { full &+= TreeMessage(index).hash(in: Self.page(index / 250)) }
    var random = SplitMix(state: 777)
    var order = Array(0..<messages)
    let share = min(1000, messages)
    for index in 0..<share { order.swapAt(index, index + random.next(below: messages - index)) }
    pickedMessages = Array(order[..<share])
    picks = pickedMessages.map { (Self.page($0 / 250), TreeMessage($0).key) }
    var sum = 0
    var keys: [String] = []
    for _ in 0..<20_000 {
      let index = random.next(below: pages * 1000)
      keys.append(Self.wideKey(index))
      sum += index * 3
    }
    (wideKeys, wideSum) = (keys, sum)
    names = (0..<pages).reduce(0) { Self.add($0, Self.page($1)) }
  }

  static func page(_ page: Int) -> String {
    let room = String(page / 4)
    return "r" + String(repeating: "0", count: 3 - room.count) + room + "-\(page % 4)"
  }

  static func wideKey(_ index: Int) -> String {
    var random = SplitMix(
      state: SplitMix.mix(SplitMix.seed ^ 0x31DE ^ (UInt64(index + 1) &* 0xA24B_AED4_963E_E407))
    )
    return TreeMessage.key(1_700_000_000_000 + index, &random)
  }

  /// Adds the name of a page to the digest of the names before it.
  static func add(_ sum: UInt64, _ name: String) -> UInt64 {
    let bytes = Array(name.utf8)
    let digest = UInt64(bytes[bytes.count - 1]) * 31 + UInt64(bytes[2]) + UInt64(bytes.count)
    return Digest.ordered(sum, digest)
  }

  static func digest(ofPage page: Int) -> UInt64 {
    (page * 250..<page * 250 + 250).reduce(0) { $0 &+ TreeMessage($1).digest }
  }

  /// The digest of the last children of the wide node by their values.
  func lastWide(_ count: Int) -> UInt64 {
    (wide - count..<wide).reduce(0) { Self.addWide($0, Self.wideKey($1), $1 * 3) }
  }

  /// Adds a child of the wide node to the digest of the children before it.
  static func addWide(_ sum: UInt64, _ key: String, _ value: Int) -> UInt64 {
    Digest.ordered(sum, UInt64(key.utf8.last ?? 0) * 31 + UInt64(value))
  }

  static func newLikes(_ number: Int) -> Int { 1_000_000 + number }

  /// The digest of the tree after the first picked messages got other likes.
  func full(afterChanging count: Int) -> UInt64 {
    pickedMessages.prefix(count).enumerated().reduce(full) { sum, pick in
      var message = TreeMessage(pick.element)
      let page = Self.page(pick.element / 250)
      let without = sum &- message.hash(in: page)
      message.likes = Self.newLikes(pick.offset)
      return without &+ message.hash(in: page)
    }
  }

  /// A line of what all peers have to agree on.
  var expectation: String { "tree \(full) \(wideSum) \(names)\n" }
}
