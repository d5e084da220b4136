import LMDB
import TestEffort
import Testing

@Suite("Index values that are too long for a key")
struct TruncatedKeyTests {
  /// A string or bytes around the limit, from few symbols, so that many share their beginnings.
  private static func element(_ random: inout KeyRandom, shared: [UInt8], limit: Int) -> [UInt8] {
    var content = Array(shared.prefix(limit - Int.random(in: 8...16, using: &random)))
    let symbols: [UInt8] = [0, 1, 2, 0x61, 0x7F, 0xFF]
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      content.append(symbols.randomElement(using: &random) ?? 0)
    }
    var encoder = KeyEncoder()
    encoder.append(bytes: content)
    return encoder.bytes
  }

  @Test("keep their order up to the prefix, in any company", arguments: [32, 40, 200])
  func order(limit: Int) {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    var decidedByHash = 0
    var mixed = 0
    for round in 0..<TestEffort.count(2_000, more: 20_000) {
      // Escaped bytes double in length, so the shared part is short of the limit by some of them.
      let shared = (0..<limit).map { _ in
        UInt8(round % 3 == 0 && random.next() % 8 == 0 ? random.next() % 2 : 0x61)
      }
      let a = Self.element(&random, shared: shared, limit: limit)
      let b = Self.element(&random, shared: shared, limit: limit)
      let (x, y) = (TruncatedKey.truncated(a, limit: limit), TruncatedKey.truncated(b, limit: limit))
      #expect(x.bytes.count <= limit, "seed \(seed)")
      #expect(x.isTruncated || x.bytes == a, "seed \(seed)")
      #expect(
        x.bytes.withUnsafeBytes { TruncatedKey.isTruncated($0, limit: limit) } == x.isTruncated,
        "\(a), seed \(seed)"
      )
      if x.isTruncated && y.isTruncated,
        x.bytes.prefix(TruncatedKey.prefixCount(ofTruncated: x.bytes))
          == y.bytes.prefix(TruncatedKey.prefixCount(ofTruncated: y.bytes))
      {
        decidedByHash += 1
        #expect((x.bytes == y.bytes) == (a == b), "\(a) and \(b), seed \(seed)")
        continue
      }
      if x.isTruncated != y.isTruncated { mixed += 1 }
      // The following elements of a composite key must not change the order either.
      let expected = KeyOrderTests.byteOrder(a, b)
      #expect(
        KeyOrderTests.byteOrder(x.bytes + [0x14], y.bytes + [0x33]) == (expected == 0 ? -1 : expected),
        "\(a) and \(b), seed \(seed)"
      )
    }
    let least = TestEffort.count(10, more: 100)
    #expect(decidedByHash > least && mixed > least, "the values must be around the limit, seed \(seed)")
  }

  @Test("stay one element that a decoder passes over")
  func skipping() throws {
    var long = KeyEncoder()
    long.append(string: String(repeating: "ö\0\u{1}", count: 300))
    let cut = TruncatedKey.truncated(long.bytes, limit: 255)
    #expect(cut.isTruncated)
    var key = KeyEncoder()
    key.append(raw: cut.bytes)
    key.append(Int64(-77))
    try key.bytes.withUnsafeBytes { (buffer) throws in
      var decoder = KeyDecoder(buffer)
      try decoder.skip()
      #expect(try decoder.nextInteger() == -77)
    }
  }

  @Test("are cut only where the type has no fixed length")
  func fixedLengths() {
    var encoder = KeyEncoder()
    encoder.append(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    encoder.append(Double.pi)
    encoder.append(Double.pi)
    for bytes in [encoder.bytes, [], Array(repeating: 0xFF, count: 100), Array(repeating: 2, count: 100)] {
      let result = TruncatedKey.truncated(bytes, limit: 0)
      #expect(result.bytes == bytes && !result.isTruncated)
    }
  }

  @Test("have these bytes, which are the format of a store")
  func format() {
    var encoder = KeyEncoder()
    encoder.append(string: String(repeating: "x", count: 100))
    let cut = TruncatedKey.truncated(encoder.bytes, limit: 32)
    #expect(cut.bytes.count == 31)
    #expect(Array(cut.bytes[..<22]) == [0x02] + Array(repeating: 0x78, count: 20) + [0xFF])
    let hash = encoder.bytes.withUnsafeBytes { StableHash.hash($0) }
    let image = withUnsafeBytes(of: hash.bigEndian) { $0.map { max($0, 2) } }
    #expect(Array(cut.bytes[22...]) == image + [0])
  }
}
