import CSodium
import Fief
import Foundation
import LMDB
import Testing

@testable import FiefEncryption

/// The cipher and the header: nothing but what was sealed opens.
@Suite struct CipherTests {
  private let keys = StoreEncryption.test(1).keys

  private func cipher(_ byte: UInt8 = 1) throws -> any StoreCipher {
    let keys = StoreEncryption.test(byte).keys
    return try keys.unlock(try keys.makeCipher(ofStore: "vault").header, ofStore: "vault")
  }

  private func seal(_ cipher: any StoreCipher, _ value: [UInt8], _ context: String = "type:1\u{0}key")
    -> [UInt8]
  {
    var sealed = [UInt8](repeating: 0, count: value.count + cipher.overhead)
    sealed.withUnsafeMutableBytes { sealed in
      value.withUnsafeBytes { value in
        Array(context.utf8).withUnsafeBytes { cipher.seal(value, for: $0, into: sealed) }
      }
    }
    return sealed
  }

  private func open(_ cipher: any StoreCipher, _ sealed: [UInt8], _ context: String = "type:1\u{0}key")
    -> [UInt8]?
  {
    var value = [UInt8](repeating: 0, count: max(0, sealed.count - cipher.overhead))
    let isRight = value.withUnsafeMutableBytes { value in
      sealed.withUnsafeBytes { sealed in
        Array(context.utf8).withUnsafeBytes { cipher.open(sealed, for: $0, into: value) }
      }
    }
    return isRight ? value : nil
  }

  @Test("values of each length open, in their own context only", arguments: [0, 1, 15, 16, 17, 200, 100_000])
  func lengths(count: Int) throws {
    let cipher = try cipher()
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sealed = seal(cipher, value)
    #expect(open(cipher, sealed) == value)
    #expect(open(cipher, sealed, "type:1\u{0}other") == nil)
    #expect(open(cipher, sealed, "type:2\u{0}key") == nil)
    #expect(open(try self.cipher(), sealed) == nil)
    #expect(seal(cipher, value) != sealed)
  }

  @Test("a value with any bit changed, or cut short, does not open")
  func changedBits() throws {
    let cipher = try cipher()
    let sealed = seal(cipher, Array("a value of some length".utf8))
    for index in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[index] ^= 1 << UInt8(bit)
        #expect(open(cipher, changed) == nil)
      }
      #expect(open(cipher, Array(sealed[..<index])) == nil)
    }
  }

  @Test("a header with any bit changed, or cut short, is an error of its kind")
  func changedHeaders() throws {
    let header = try keys.makeCipher(ofStore: "vault").header
    _ = try keys.unlock(header, ofStore: "vault")
    var codes: Set<FiefError.Code> = []
    for index in header.indices {
      for bit in 0..<8 {
        var changed = header
        changed[index] ^= 1 << UInt8(bit)
        let found = code { _ = try keys.unlock(changed, ofStore: "vault") }
        #expect(
          found == .wrongKey || found == .damagedStore || found == .formatTooNew,
          "byte \(index), bit \(bit)"
        )
        if let found { codes.insert(found) }
      }
      #expect(code { _ = try keys.unlock(Array(header[..<index]), ofStore: "vault") } == .damagedStore)
    }
    #expect(codes == [.wrongKey, .damagedStore, .formatTooNew])
    #expect(code { _ = try keys.unlock(header + [0], ofStore: "vault") } == .damagedStore)
    #expect(code { _ = try StoreEncryption.test(2).keys.unlock(header, ofStore: "vault") } == .wrongKey)
  }

  @Test("a header may have several data keys: each opens its values, and the last one seals")
  func dataKeys() throws {
    let (first, second) = (try SecretBytes.random(), try SecretBytes.random())
    let token = try SecretBytes.random()
    let one = SodiumCipher(try DataKeys(token: token, values: [(1, first)]))
    let both = SodiumCipher(try DataKeys(token: token, values: [(1, first), (7, second)]))
    let user = StoreEncryption.passphrase("other").keys
    let again = try user.unlock(try both.header(for: user, ofStore: "vault"), ofStore: "vault")
    let (old, new) = (seal(one, [1, 2, 3]), seal(again, [4, 5, 6]))
    #expect(open(again, old) == [1, 2, 3] && open(again, new) == [4, 5, 6] && open(both, new) == [4, 5, 6])
    #expect(new.first == 7 && open(one, new) == nil)
    #expect(
      code { _ = try keys.unlock(try both.header(for: user, ofStore: "vault"), ofStore: "vault") }
        == .wrongKey
    )
  }

  @Test("tokens are the same for the same bytes, context and store")
  func tokens() throws {
    func token(_ cipher: any StoreCipher, _ context: String, _ text: String) -> [UInt8] {
      var token = [UInt8](repeating: 0, count: 16)
      token.withUnsafeMutableBytes { token in
        Array(context.utf8).withUnsafeBytes { context in
          Array(text.utf8).withUnsafeBytes { cipher.token(of: $0, for: context, into: token) }
        }
      }
      return token
    }
    let cipher = try cipher()
    let first = token(cipher, "index", "text")
    #expect(token(cipher, "index", "text") == first)
    let wrapped = try cipher.header(for: StoreEncryption.test(9).keys, ofStore: "vault")
    let again = try StoreEncryption.test(9).keys.unlock(wrapped, ofStore: "vault")
    #expect(token(again, "index", "text") == first)
    #expect(token(cipher, "index", "texu") != first && token(cipher, "inde", "xtext") != first)
    #expect(token(try self.cipher(), "index", "text") != first)
  }

  @Test("no nonce is drawn twice")
  func nonces() {
    let nonces = Nonces()
    var seen: Set<[UInt8]> = []
    for _ in 0..<100_000 { seen.insert(nonce(of: nonces, "value", "context")) }
    #expect(seen.count == 100_000)
  }

  @Test("two copies of one process share the nonce of a short value only if they seal the same value")
  func noncesOfCopies() {
    let draw: @Sendable (UnsafeMutableRawBufferPointer) -> Void = { bytes in
      bytes.copyBytes(from: bytes.indices.map { UInt8(truncatingIfNeeded: $0) })
    }
    let (one, other) = (Nonces(draw: draw), Nonces(draw: draw))
    #expect(nonce(of: one, "value", "context") == nonce(of: other, "value", "context"))
    #expect(nonce(of: one, "value", "context") != nonce(of: other, "another", "context"))
    #expect(nonce(of: one, "value", "context") != nonce(of: other, "value", "another"))
    #expect(nonce(of: one, "", "context") != nonce(of: other, "context", ""))
    let draws = OwnedLock(0)
    let counted = Nonces { bytes in
      draws.withLock { $0 += 1 }
      draw(bytes)
    }
    for _ in 0..<10 { _ = nonce(of: counted, String(repeating: "v", count: 600), "context") }
    #expect(draws.withLock { $0 } == 10)
  }

  private func nonce(of nonces: Nonces, _ value: String, _ context: String) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Nonces.count)
    nonce.withUnsafeMutableBytes { place in
      guard let place = place.baseAddress else { return }
      Array(value.utf8).withUnsafeBytes { value in
        Array(context.utf8).withUnsafeBytes { nonces.next(for: value, in: $0, into: place) }
      }
    }
    return nonce
  }

  @Test("the algorithm is that of draft-irtf-cfrg-xchacha-03, appendix A.3.1")
  func knownAnswer() throws {
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    let key = try SecretBytes { $0.copyBytes(from: (0x80...0x9F).map { UInt8($0) }) }
    let nonce = (0x40...0x57).map { UInt8($0) }
    let context: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7]
    let value = Array(text.utf8)
    var sealed = [UInt8](repeating: 0, count: value.count + 16)
    sealed.withUnsafeMutableBytes { sealed in
      nonce.withUnsafeBytes { nonce in
        guard let place = sealed.baseAddress, let nonce = nonce.baseAddress else { return }
        value.withUnsafeBytes { value in
          context.withUnsafeBytes { SodiumCipher.encrypt(value, key: key, nonce: nonce, $0, into: place) }
        }
      }
    }
    let hex = sealed.map { String(format: "%02x", $0) }.joined()
    #expect(hex.hasPrefix("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"))
    #expect(hex.hasSuffix("c0875924c1c7987947deafd8780acf49"))
  }

  @Test("a cipher whose keys were wiped opens nothing, and one that keeps its tokens makes the same")
  func wiping() throws {
    let cipher = try cipher()
    let sealed = seal(cipher, Array("a value".utf8))
    let token = token(cipher)
    cipher.wipeValueKeys()
    #expect(open(cipher, sealed) == nil)
    #expect(self.token(cipher) == token)
    cipher.wipe()
    #expect(self.token(cipher) != token)
    #expect(open(cipher, sealed) == nil)
    let keys = try #require(cipher as? SodiumCipher).keys
    for key in [keys.token, keys.keys] + keys.values.map(\.key) { #expect(key.bytes.allSatisfy { $0 == 0 }) }
  }

  private func token(_ cipher: any StoreCipher) -> [UInt8] {
    var token = [UInt8](repeating: 0, count: 16)
    token.withUnsafeMutableBytes { token in
      Array("element".utf8).withUnsafeBytes { cipher.token(of: $0, for: $0, into: token) }
    }
    return token
  }
}
