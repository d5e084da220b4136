import Fief

extension MigrationPlan {
  /// How stores of accounts are brought up to date.
  package static let auth = MigrationPlan([AuthVersion2.self, AuthVersion3.self])
}
