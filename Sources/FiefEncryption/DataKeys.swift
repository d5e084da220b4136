import Fief

/// The keys of one store: random, made with it, and known by the header only.
struct DataKeys: Sendable {
  /// The key of the tokens, which stays as long as the store.
  let token: SecretBytes
  /// What secret keys are encrypted with; it follows from that of the tokens.
  let keys: SecretBytes
  /// The keys of the values by their numbers, the newest last; at least one.
  let values: [(number: UInt8, key: SecretBytes)]

  init(token: SecretBytes, values: [(number: UInt8, key: SecretBytes)]) throws {
    guard let newest = values.last else { throw Header.damaged }
    self.token = token
    keys = try token.derived("fief: keys")
    self.values = values
    self.newest = newest
  }

  /// The key that values are sealed with.
  let newest: (number: UInt8, key: SecretBytes)

  static func random() throws -> DataKeys {
    try DataKeys(token: .random(), values: [(1, .random())])
  }

  func key(_ number: UInt8) -> SecretBytes? { values.first { $0.number == number }?.key }
}
