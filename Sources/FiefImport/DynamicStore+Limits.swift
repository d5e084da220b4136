package import Fief

extension DynamicStore {
  /// Whether the store has required relationships or limits. An object may then need objects of later lines,
  /// so only the complete import can be valid.
  package var hasLimits: Bool {
    types.contains { $0.relationships.contains { $0.minimum > 0 || $0.maximum != nil } }
  }
}
