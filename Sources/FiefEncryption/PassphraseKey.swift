import CSodium
import Fief
import Foundation

/// Derives a key from a passphrase with Argon2id (RFC 9106).
enum PassphraseKey {
  static func derive(
    _ passphrase: String,
    _ derivation: Header.Derivation,
    _ salt: [UInt8]
  ) throws -> SecretBytes {
    // Normalized, because different systems enter the same text in different forms of Unicode.
    var text = Array(passphrase.precomposedStringWithCanonicalMapping.utf8)
    defer { sodium_memzero(&text, text.count) }
    guard !text.isEmpty else { throw FiefError(.invalidKey, "A passphrase must not be empty.") }
    return try SecretBytes { output in
      let code = text.withUnsafeBytes { text in
        salt.withUnsafeBytes { salt -> Int32 in
          guard let place = output.bindMemory(to: UInt8.self).baseAddress,
            let start = text.bindMemory(to: CChar.self).baseAddress,
            let salt = salt.bindMemory(to: UInt8.self).baseAddress
          else { return -1 }
          // SAFETY: the lengths match the buffers, and the salt has the 16 bytes that Argon2id requires.
          return crypto_pwhash(
            place,
            UInt64(output.count),
            start,
            UInt64(text.count),
            salt,
            UInt64(derivation.passes),
            Int(derivation.kibibytes) << 10,
            crypto_pwhash_ALG_ARGON2ID13
          )
        }
      }
      guard code == 0 else {
        throw FiefError(
          .invalidKey,
          "Not enough memory to derive a key from a passphrase.",
          details: ["needed: \(derivation.kibibytes >> 10) MiB"]
        )
      }
    }
  }
}
