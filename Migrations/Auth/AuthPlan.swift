import Fief

extension MigrationPlan {
  /// The migration steps of stores of accounts.
  package static let auth = MigrationPlan([AuthVersion2.self, AuthVersion3.self, AuthVersion4.self])
}
