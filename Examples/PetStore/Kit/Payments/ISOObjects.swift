import Fief

/// A currency of ISO 4217.
final class Currency: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var numeric: Int?
  @Persisted var name: String
  /// The number of digits after the point in an amount.
  @Persisted var fractionDigits = 2
}

/// A country or territory of ISO 3166-1.
final class Country: Object {
  /// Three letters: `FRA`.
  @Persisted(primaryKey: true) var alpha3: String
  /// Two letters: `FR`.
  @Persisted(indexed: true) var code: String
  @Persisted var name: String
  @Persisted var flag: String
}
