import LMDB
import TestEffort
import Testing

@Suite("The order of keys")
struct KeyOrderTests {
  static func encoded(_ elements: [KeyElement]) throws -> [UInt8] {
    var encoder = KeyEncoder()
    for element in elements { try encoder.append(element) }
    return encoder.bytes
  }

  static func byteOrder(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : (a == b ? 0 : 1)
  }

  static func decoded(_ bytes: [UInt8]) throws -> [KeyElement] {
    try bytes.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      var elements: [KeyElement] = []
      while let element = try decoder.next() { elements.append(element) }
      #expect(decoder.isAtEnd)
      return elements
    }
  }

  @Test("is the order of the values, for each type", arguments: 0..<KeyElement.kindCount)
  func singles(kind: Int) throws {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    for _ in 0..<TestEffort.count(600, more: 3_000) {
      let a = KeyElement.random(kind: kind, &random)
      let b = KeyElement.random(kind: kind, &random)
      let (x, y) = (try Self.encoded([a]), try Self.encoded([b]))
      #expect(Self.byteOrder(x, y) == KeyElement.order(a, b), "\(a) and \(b), seed \(seed)")
      let back = try Self.decoded(x)
      #expect(back.count == 1 && KeyElement.isSame(back[0], a), "\(a) became \(back), seed \(seed)")
    }
  }

  @Test("is element by element in compounds of up to four values of any types")
  func compounds() throws {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    for _ in 0..<TestEffort.count(3_000, more: 8_000) {
      let count = Int.random(in: 1...4, using: &random)
      let a = (0..<count).map { _ in
        KeyElement.random(kind: Int.random(in: 0..<KeyElement.kindCount, using: &random), &random)
      }
      let b = a.map { element in
        switch Int.random(in: 0...3, using: &random) {
        case 0: KeyElement.random(kind: Int.random(in: 0..<KeyElement.kindCount, using: &random), &random)
        default: element
        }
      }
      let (x, y) = (try Self.encoded(a), try Self.encoded(b))
      let expected = zip(a, b).map { KeyElement.order($0, $1) }.first { $0 != 0 } ?? 0
      #expect(Self.byteOrder(x, y) == expected, "\(a) and \(b), seed \(seed)")
      if expected != 0 {
        #expect(!x.starts(with: y) && !y.starts(with: x), "\(a) and \(b), seed \(seed)")
      }
      let back = try Self.decoded(x)
      #expect(
        back.count == count && zip(back, a).allSatisfy { KeyElement.isSame($0, $1) },
        "\(a) became \(back), seed \(seed)"
      )
    }
  }

  @Test("has the documented bytes, which are the format of a store")
  func format() throws {
    let examples: [(KeyElement, [UInt8])] = [
      (.null, [0x00]),
      (.bytes([1, 0, 2]), [0x01, 1, 2, 1, 1, 2, 0]),
      (.string("FÔO\0bar"), [0x02, 0x46, 0xC3, 0x94, 0x4F, 1, 1, 0x62, 0x61, 0x72, 0]),
      (.integer(0), [0x14]),
      (.integer(255), [0x15, 0xFF]),
      (.integer(256), [0x16, 1, 0]),
      (.integer(-1), [0x13, 0xFE]),
      (.integer(-5_551_212), [0x11, 0xAB, 0x4B, 0x93]),
      (.integer(.max), [0x1C, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      (.integer(.min), [0x0C, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      (.unsigned(.max), [0x1C, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      (.float(-42), [0x20, 0x3D, 0xD7, 0xFF, 0xFF]),
      (.double(1), [0x21, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0]),
      (.bool(false), [0x26]),
      (.bool(true), [0x27]),
      (.date(1), [0x32, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0]),
      (.decimal([]), [0x33, 0]),
    ]
    for (element, bytes) in examples {
      #expect(try Self.encoded([element]) == bytes, "\(element)")
    }
  }

  @Test("an unsigned integer that fits a signed one has its key")
  func unsigned() {
    for value: UInt64 in [0, 1, 255, 256, UInt64(Int64.max)] {
      var signed = KeyEncoder()
      signed.append(Int64(value))
      var unsigned = KeyEncoder()
      unsigned.append(value)
      #expect(signed.bytes == unsigned.bytes)
    }
  }

  @Test("a string that is not stored contiguously has the same key")
  func bridgedStrings() {
    let text = String(Substring("xx\u{0}yé😀").dropFirst())
    var encoder = KeyEncoder(reusing: [1, 2, 3])
    encoder.append(string: text)
    var other = KeyEncoder()
    other.append(string: "x\u{0}yé😀")
    #expect(encoder.bytes == other.bytes)
  }

  @Test("UUIDs and object ids of another length are refused and append nothing")
  func wrongLength() {
    var encoder = KeyEncoder()
    encoder.append(Int64(7))
    let before = encoder.bytes
    #expect(throws: KeyError(.wrongLength)) { try encoder.append(.uuid([1, 2])) }
    #expect(throws: KeyError(.wrongLength)) { try encoder.append(.objectID([])) }
    [UInt8](repeating: 0, count: 15).withUnsafeBytes { bytes in
      #expect(throws: KeyError(.wrongLength)) { try encoder.append(uuid: bytes) }
      #expect(throws: KeyError(.wrongLength)) { try encoder.append(objectID: bytes) }
    }
    #expect(encoder.bytes == before)
  }

  @Test("the successor of a prefix is above all its keys and not above any other")
  func successors() {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    for _ in 0..<5_000 {
      let prefix = KeyElement.randomBytes(&random, count: Int.random(in: 0...3, using: &random))
      let key = KeyElement.randomBytes(&random, count: Int.random(in: 0...5, using: &random))
      let isBelow = keySuccessor(ofPrefix: prefix).map { key.lexicographicallyPrecedes($0) } ?? true
      let isInside = isBelow && !key.lexicographicallyPrecedes(prefix)
      #expect(isInside == key.starts(with: prefix), "\(prefix), \(key), seed \(seed)")
    }
  }
}
