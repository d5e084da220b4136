import Fief

/// The data keys of one store. They are random, created with the store and stored only in the wrapped form of
/// its header.
struct DataKeys: Sendable {
  /// The key for tokens, which never changes during the life of the store.
  let token: SecretBytes
  /// The key that encrypts secret object keys. It is derived from the token key.
  let keys: SecretBytes
  /// The keys for values with their numbers, in ascending order. There is at least one.
  let values: [(number: UInt8, key: SecretBytes)]

  init(token: SecretBytes, values: [(number: UInt8, key: SecretBytes)]) throws {
    guard let newest = values.last else { throw Header.damaged }
    self.token = token
    keys = try token.derived("fief: keys")
    self.values = values
    self.newest = newest
  }

  /// The key with which new values are encrypted.
  let newest: (number: UInt8, key: SecretBytes)

  static func random() throws -> DataKeys {
    try DataKeys(token: .random(), values: [(1, .random())])
  }

  func key(_ number: UInt8) -> SecretBytes? { values.first { $0.number == number }?.key }
}
