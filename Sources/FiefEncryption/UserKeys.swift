import CSodium
import Fief
import Foundation

/// A key that the user provides, from any source.
struct UserKeys: StoreKeys {
  enum Source: Sendable {
    /// The length is checked when the key is used.
    case bytes(Data)
    case file(String)
    case passphrase(String)
    case provider(@Sendable (String) throws -> Data)
  }

  let source: Source

  func makeCipher(ofStore store: String) throws -> (header: [UInt8], cipher: any StoreCipher) {
    try described(store) { try cipher(of: .random(), ofStore: store) }
  }

  /// Returns a cipher with data keys, and the header that wraps the data keys with this key.
  func cipher(of keys: DataKeys, ofStore store: String) throws -> (header: [UInt8], cipher: any StoreCipher) {
    (try header(of: keys, ofStore: store), SodiumCipher(keys))
  }

  func unlock(_ header: [UInt8], ofStore store: String) throws -> any StoreCipher {
    try described(store) {
      let header = try Header(header)
      let key = try key(ofStore: store, header.derivation, header.salt)
      return SodiumCipher(try header.unwrap(with: key))
    }
  }

  /// Returns a header with a store's data keys, wrapped with this key.
  func header(of keys: DataKeys, ofStore store: String) throws -> [UInt8] {
    try described(store) {
      var derivation = Header.Derivation()
      if case .passphrase = source { derivation = .passphrase }
      let salt = Header.randomSalt()
      let key = try key(ofStore: store, derivation, salt)
      return try Header.bytes(of: keys, wrappedWith: key, derivation, salt)
    }
  }

  /// - Throws: ``FiefError`` of code `invalidKey`, or of code `wrongKey` if the store requires a passphrase
  ///   and a key was given, or the reverse.
  private func key(
    ofStore store: String,
    _ derivation: Header.Derivation,
    _ salt: [UInt8]
  ) throws -> SecretBytes {
    if case .passphrase(let text) = source {
      guard derivation.isOfPassphrase else {
        throw FiefError(.wrongKey, "The store is encrypted with a key, but was opened with a passphrase.")
      }
      return try PassphraseKey.derive(text, derivation, salt)
    }
    guard !derivation.isOfPassphrase else {
      throw FiefError(.wrongKey, "The store is encrypted with a passphrase, but was opened with a key.")
    }
    switch source {
    case .bytes(let bytes): return try Self.key(bytes)
    case .file(let path):
      var bytes = try KeyFile.read(path)
      defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
      return try Self.key(bytes)
    case .provider(let body):
      let bytes: Data
      do { bytes = try body(store) } catch {
        throw FiefError(.invalidKey, "The key provider threw an error.", underlying: error)
      }
      return try Self.key(bytes)
    case .passphrase: throw Header.damaged
    }
  }

  /// Returns a key from 32 bytes, or from 64 bytes as Realm uses.
  static func key(_ bytes: Data) throws -> SecretBytes {
    switch bytes.count {
    case SecretBytes.count: return try SecretBytes { bytes.copyBytes(to: $0) }
    case 64:
      return try SecretBytes { output in
        bytes.withUnsafeBytes { Sodium.hash(key: nil, "fief: key of 64 bytes", $0, into: output) }
      }
    default:
      throw FiefError(
        .invalidKey,
        "A key has 32 bytes, or 64 like a key of Realm.",
        details: ["the key's length: \(bytes.count) bytes"]
      )
    }
  }

  private func described<Value>(_ store: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch var error as FiefError {
      error.store = error.store ?? store
      throw error
    }
  }
}
