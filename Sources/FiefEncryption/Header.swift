import CSodium
import Fief

/// The header of an encrypted store: the wrapped data keys, and the parameters for unwrapping them.
/// docs/format.md describes its bytes.
struct Header {
  /// The parameters for deriving the wrapping key from the user's input.
  struct Derivation: Equatable {
    /// The number of passes over the memory, or 0 if the key is given as bytes.
    var passes: UInt32 = 0
    /// The memory in KiB, or 0 if the key is given as bytes.
    var kibibytes: UInt32 = 0

    var isOfPassphrase: Bool { passes > 0 }

    static let passphrase = Derivation(passes: 3, kibibytes: 64 << 10)
    /// The limits for values in a header, so that a damaged header cannot demand all memory or days of
    /// computation.
    static let passesThatMayBe: ClosedRange<UInt32> = 1...16
    static let kibibytesThatMayBe: ClosedRange<UInt32> = (8 << 10)...(1 << 20)
  }

  private static let magic = Array("FIEFKEYS".utf8)
  private static let format: UInt8 = 1
  /// The identifier of XChaCha20-Poly1305.
  private static let cipher: UInt8 = 1
  private static let saltCount = 16
  private static let checkCount = 16
  /// The number of bytes before the wrapped keys.
  private static let fixedCount = 8 + 4 + saltCount + 8 + checkCount + 1
  /// The size of a wrapped key: its number, a nonce, the key and the tag.
  private static let wrappedCount = 1 + Nonces.count + SecretBytes.count + 16

  let derivation: Derivation
  let salt: [UInt8]
  private let fixed: [UInt8]
  private let wrapped: [ArraySlice<UInt8>]

  static var damaged: FiefError {
    FiefError(.damagedStore, "The header of the encrypted store is damaged.")
  }

  static func randomSalt() -> [UInt8] { Sodium.random(saltCount) }

  /// Reads a header. No key is required.
  ///
  /// - Throws: ``FiefError`` of code `damagedStore` or `formatTooNew`.
  init(_ bytes: [UInt8]) throws {
    guard bytes.count >= Self.fixedCount, bytes.starts(with: Self.magic) else { throw Self.damaged }
    guard bytes[8] <= Self.format else {
      throw FiefError(.formatTooNew, "The store was encrypted by a newer version of the library.")
    }
    guard bytes[8] == Self.format, bytes[9] == Self.cipher, bytes[10] <= 1, bytes[11] == 0 else {
      throw Self.damaged
    }
    salt = Array(bytes[12..<(12 + Self.saltCount)])
    let numbers = bytes[(12 + Self.saltCount)...]
    derivation = Derivation(passes: Self.integer(numbers), kibibytes: Self.integer(numbers.dropFirst(4)))
    if bytes[10] == 1 {
      guard Derivation.passesThatMayBe.contains(derivation.passes),
        Derivation.kibibytesThatMayBe.contains(derivation.kibibytes)
      else { throw Self.damaged }
    } else {
      guard derivation == Derivation() else { throw Self.damaged }
    }
    let count = Int(bytes[Self.fixedCount - 1])
    guard count >= 2, bytes.count == Self.fixedCount + count * Self.wrappedCount else { throw Self.damaged }
    fixed = Array(bytes[..<Self.fixedCount])
    wrapped = (0..<count).map {
      bytes[(Self.fixedCount + $0 * Self.wrappedCount)...].prefix(Self.wrappedCount)
    }
  }

  /// Unwraps the keys.
  ///
  /// - Throws: ``FiefError`` of code `wrongKey` or `damagedStore`.
  func unwrap(with userKey: SecretBytes) throws -> DataKeys {
    let check = try Self.check(userKey, salt)
    let stored = fixed[(Self.fixedCount - 1 - Self.checkCount)..<(Self.fixedCount - 1)]
    guard Array(stored).withUnsafeBytes({ sodium_memcmp($0.baseAddress, check, Self.checkCount) }) == 0 else {
      throw FiefError(.wrongKey, "The store is encrypted with a different key.")
    }
    let wrapping = try userKey.derived("fief: wrap", salt)
    var keys = try wrapped.map { ($0.first ?? 0, try unwrap(Array($0), wrapping)) }
    // The first key is the token key.
    let token = keys.removeFirst()
    guard token.0 == 0, zip(keys, keys.dropFirst()).allSatisfy({ $0.0 < $1.0 }), keys.allSatisfy({ $0.0 > 0 })
    else {
      throw Self.damaged
    }
    return try DataKeys(token: token.1, values: keys.map { (number: $0.0, key: $0.1) })
  }

  /// Returns the bytes of a header with wrapped keys.
  static func bytes(
    of keys: DataKeys,
    wrappedWith userKey: SecretBytes,
    _ derivation: Derivation,
    _ salt: [UInt8]
  ) throws -> [UInt8] {
    var fixed = magic + [format, cipher, derivation.isOfPassphrase ? 1 : 0, 0] + salt
    for number in [derivation.passes, derivation.kibibytes] {
      withUnsafeBytes(of: number.littleEndian) { fixed += $0 }
    }
    fixed += try check(userKey, salt)
    fixed.append(UInt8(keys.values.count + 1))
    let wrapping = try userKey.derived("fief: wrap", salt)
    var bytes = fixed
    for (number, key) in [(0, keys.token)] + keys.values {
      var item = [number] + Sodium.random(Nonces.count) + [UInt8](repeating: 0, count: SecretBytes.count + 16)
      let context = fixed + [number]
      item.withUnsafeMutableBytes { item in
        context.withUnsafeBytes { context in
          guard let place = item.baseAddress else { return }
          SodiumCipher.encrypt(
            key.bytes,
            key: wrapping,
            nonce: place + 1,
            context,
            into: place + (1 + Nonces.count)
          )
        }
      }
      bytes += item
    }
    return bytes
  }

  private func unwrap(_ item: [UInt8], _ wrapping: SecretBytes) throws -> SecretBytes {
    let context = fixed + item.prefix(1)
    return try SecretBytes { output in
      let isRight = item.withUnsafeBytes { item in
        context.withUnsafeBytes { context in
          item.baseAddress.map {
            SodiumCipher.decrypt($0 + (1 + Nonces.count), key: wrapping, nonce: $0 + 1, context, into: output)
          } ?? false
        }
      }
      guard isRight else { throw Self.damaged }
    }
  }

  /// Returns a check value that identifies a wrong key but reveals nothing about the right one.
  private static func check(_ userKey: SecretBytes, _ salt: [UInt8]) throws -> [UInt8] {
    let key = try userKey.derived("fief: check", salt)
    var check = [UInt8](repeating: 0, count: checkCount)
    check.withUnsafeMutableBytes { output in
      salt.withUnsafeBytes { Sodium.hash(key: key, "fief: check", $0, into: output) }
    }
    return check
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
