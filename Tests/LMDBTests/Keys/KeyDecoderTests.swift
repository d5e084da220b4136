import LMDB
import TestEffort
import Testing

@Suite("The decoder of keys")
struct KeyDecoderTests {
  @Test("refuses or reads any bytes, and what it reads encodes to the same bytes")
  func fuzz() throws {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    let tags: [UInt8] = [
      0, 1, 2, 0x0B, 0x0C, 0x10, 0x13, 0x14, 0x15, 0x1C, 0x20, 0x21, 0x26, 0x30, 0x31, 0x33,
    ]
    var readable = 0
    for _ in 0..<TestEffort.count(8_000, more: 50_000) {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : tags.randomElement(using: &random) ?? 0
      }
      bytes.withUnsafeBytes { buffer in
        var decoder = KeyDecoder(buffer)
        var encoder = KeyEncoder()
        while true {
          let before = decoder.remaining.count
          var skipper = decoder
          var integers = decoder
          var positive = decoder
          let found = positive.nextPositiveInteger()
          guard let element = try? decoder.next() else {
            #expect(found == nil, "\(bytes), seed \(seed)")
            #expect(decoder.remaining.count == before, "an error moves: \(bytes), seed \(seed)")
            #expect((try? integers.nextInteger()) == nil, "\(bytes), seed \(seed)")
            break
          }
          #expect(throws: Never.self) { try skipper.skip() }
          #expect(skipper.remaining.count == decoder.remaining.count, "\(bytes), seed \(seed)")
          if case .integer(let value) = element, value > 0 {
            #expect(found == value, "\(bytes), seed \(seed)")
            #expect(positive.remaining.count == decoder.remaining.count, "\(bytes), seed \(seed)")
          } else {
            #expect(found == nil && positive.remaining.count == before, "\(bytes), seed \(seed)")
          }
          if case .integer(let value) = element {
            #expect((try? integers.nextInteger()) == value, "\(bytes), seed \(seed)")
            #expect(integers.remaining.count == decoder.remaining.count, "\(bytes), seed \(seed)")
          } else {
            #expect((try? integers.nextInteger()) == nil, "\(bytes), seed \(seed)")
          }
          #expect(throws: Never.self) { try encoder.append(element) }
        }
        let read = bytes.count - decoder.remaining.count
        #expect(encoder.bytes == Array(bytes[..<read]), "\(bytes), seed \(seed)")
        if decoder.isAtEnd, !bytes.isEmpty { readable += 1 }
      }
    }
    #expect(
      readable > TestEffort.count(40, more: 250),
      "the fuzzer must reach whole keys too, seed \(seed)"
    )
  }

  static let damaged: [([UInt8], KeyError.Code)] = [
    ([0x03], .unknownTag), ([0xFF], .unknownTag), ([0x0B], .unknownTag), ([0x1D], .unknownTag),
    ([0x02, 0x61], .endOfKey), ([0x02, 0x61, 0x01], .endOfKey), ([0x01], .endOfKey),
    ([0x16, 0x01], .endOfKey), ([0x0C, 1, 2, 3], .endOfKey), ([0x20, 0, 0, 0], .endOfKey),
    ([0x21, 0, 0, 0, 0, 0, 0, 0], .endOfKey), ([0x30, 1], .endOfKey), ([0x31, 1], .endOfKey),
    ([0x15, 0x00], .notCanonical), ([0x16, 0x00, 0x01], .notCanonical), ([0x13, 0xFF], .notCanonical),
    ([0x0C, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], .notCanonical),
    ([0x02, 0x01, 0x00], .notCanonical), ([0x01, 0x01, 0x03, 0x00], .notCanonical),
    ([0x02, 0xC3, 0x28, 0x00], .invalidString), ([0x02, 0xFF, 0x00], .invalidString),
  ]

  @Test("says what is wrong and where", arguments: damaged)
  func errors(bytes: [UInt8], code: KeyError.Code) throws {
    let key: [UInt8] = [0x15, 0x07] + bytes
    try key.withUnsafeBytes { (buffer) throws in
      var decoder = KeyDecoder(buffer)
      #expect(try decoder.nextInteger() == 7)
      #expect(throws: KeyError(code, at: 2)) { try decoder.next() }
      #expect(decoder.remaining.count == bytes.count)
    }
  }

  @Test("reads integers of every width in both ways")
  func integers() throws {
    var values: [Int64] = [0, .min, .max, .min + 1, .max - 1]
    for shift in 0..<63 {
      let power: Int64 = 1 << shift
      values += [power, power - 1, power + 1, -power, -power + 1, -power - 1]
    }
    var encoder = KeyEncoder()
    for value in values { encoder.append(value) }
    try encoder.bytes.withUnsafeBytes { (buffer) throws in
      var fast = KeyDecoder(buffer)
      var slow = KeyDecoder(buffer)
      for value in values {
        var positive = fast
        #expect(positive.nextPositiveInteger() == (value > 0 ? value : nil))
        #expect(try fast.nextInteger() == value)
        #expect(try slow.next() == .integer(value))
      }
      #expect(fast.isAtEnd)
      #expect(throws: KeyError(.endOfKey, at: buffer.count)) { try fast.nextInteger() }
      #expect(throws: KeyError(.endOfKey, at: buffer.count)) { try fast.skip() }
      #expect(try slow.next() == nil)
    }
  }

  @Test("asks for an integer and finds another type, or one that is too large")
  func notAnInteger() {
    var encoder = KeyEncoder()
    encoder.append(UInt64.max)
    encoder.bytes.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      #expect(throws: KeyError(.outOfRange)) { try decoder.nextInteger() }
      #expect(throws: Never.self) { try decoder.skip() }
      #expect(decoder.isAtEnd)
    }
    encoder.removeAll()
    encoder.append(string: "7")
    encoder.bytes.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      #expect(throws: KeyError(.unexpectedType)) { try decoder.nextInteger() }
    }
  }
}
