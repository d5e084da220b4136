package import Fief

extension DynamicStore {
  /// Whether objects need others that may come with later lines, so that only the complete import can be valid.
  package var hasLimits: Bool {
    types.contains { $0.relationships.contains { $0.minimum > 0 || $0.maximum != nil } }
  }
}
