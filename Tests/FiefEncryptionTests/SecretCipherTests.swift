import Fief
import Foundation
import Testing

@testable import FiefEncryption

/// Sealed keys and tokens, with vectors that were made with Python: hashlib's BLAKE2b, and the XChaCha20 of PyCryptodome.
@Suite struct SecretCipherTests {
  private let cipher: SodiumCipher
  private let context: [UInt8] = [0, 0, 0, 1, 0, 2, 1]

  init() throws {
    let token = try SecretBytes { $0.copyBytes(from: (0..<32).map { UInt8($0) }) }
    cipher = SodiumCipher(try DataKeys(token: token, values: [(1, .random())]))
  }

  private func seal(_ key: [UInt8], _ context: [UInt8]) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: key.count + 16)
    sealed.withUnsafeMutableBytes { sealed in
      key.withUnsafeBytes { key in context.withUnsafeBytes { cipher.sealKey(key, for: $0, into: sealed) } }
    }
    return sealed
  }

  private func open(_ sealed: [UInt8], _ context: [UInt8]) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: max(0, sealed.count - 16))
    let isRight = key.withUnsafeMutableBytes { key in
      sealed.withUnsafeBytes { sealed in
        context.withUnsafeBytes { cipher.openKey(sealed, for: $0, into: key) }
      }
    }
    return isRight ? key : nil
  }

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test("sealed keys are those of the format")
  func vectors() {
    let vectors = [
      ("0273656372657400", "4de2c6f3dcff9bc48edea725ad07ba904ec36efbc631ae87"),
      ("1507", "25cd19406559a7e80956874ce0ea240ea0e5"),
      (
        "30000102030405060708090a0b0c0d0e0f",
        "b022a5bbc336e613094dbe57ad5d7eecdd49755f40fd82e32f616c790d7eadc6b1"
      ),
      (
        "02" + String(repeating: "78", count: 100) + "00",
        "6450050eabfa0649a34764fe2692a6d1018e0e9bc0ddf2bbfbf237bed37d022ac8fa005ca56bdb361fc46d251eadb866"
          + "70b2c9c067c8e86950dcd67ac8e2dc0db37181f84e1a295274d95992a27ebf6257732e12e260d6bd76110a3cf113625"
          + "65afc95074ab777eb36c2e77d107371ff4827eb04b593"
      ),
    ]
    for (key, sealed) in vectors {
      #expect(seal(bytes(key), context) == bytes(sealed))
      #expect(open(bytes(sealed), context) == bytes(key))
    }
  }

  @Test("tokens are those of the format, others for other uses")
  func tokens() {
    func token(_ use: UInt8) -> [UInt8] {
      var token = [UInt8](repeating: 0, count: 16)
      token.withUnsafeMutableBytes { token in
        bytes("0273656372657400").withUnsafeBytes { value in
          (context.dropLast() + [use]).withUnsafeBytes { cipher.token(of: value, for: $0, into: token) }
        }
      }
      return token
    }
    #expect(token(2) == bytes("018ad8fb181f844a96ddce11f46f1904"))
    #expect(token(3) == bytes("5976471fcfbffb5c980a1af425f62c05"))
  }

  @Test("a sealed key with any bit changed, cut short, or of another context does not open")
  func changes() {
    let sealed = seal(Array("a key".utf8), context)
    #expect(open(sealed, context) == Array("a key".utf8))
    for index in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[index] ^= 1 << UInt8(bit)
        #expect(open(changed, context) == nil)
      }
      #expect(open(Array(sealed[..<index]), context) == nil)
    }
    for index in context.indices {
      var other = context
      other[index] ^= 4
      #expect(open(sealed, other) == nil && seal(Array("a key".utf8), other) != sealed)
    }
  }

  @Test("a new data key keeps tokens and sealed keys, and opens no value of the former one")
  func renewal() throws {
    let user = StoreEncryption.test(3).keys
    let (header, renewed) = try cipher.renewed(for: user, ofStore: "vault")
    _ = try user.unlock(header, ofStore: "vault")
    let sealed = seal(Array("a key".utf8), context)
    var key = [UInt8](repeating: 0, count: sealed.count - 16)
    let opens = key.withUnsafeMutableBytes { key in
      sealed.withUnsafeBytes { sealed in
        context.withUnsafeBytes { renewed.openKey(sealed, for: $0, into: key) }
      }
    }
    #expect(opens && key == Array("a key".utf8))
    var value = [UInt8](repeating: 0, count: cipher.overhead + 4)
    value.withUnsafeMutableBytes { value in
      [1, 2, 3, 4].withUnsafeBytes { cipher.seal(.init(rebasing: $0[..<4]), for: $0, into: value) }
    }
    var clear = [UInt8](repeating: 0, count: 4)
    let isOpened = clear.withUnsafeMutableBytes { clear in
      value.withUnsafeBytes { value in
        [1, 2, 3, 4].withUnsafeBytes { renewed.open(value, for: $0, into: clear) }
      }
    }
    #expect(!isOpened)
  }
}
