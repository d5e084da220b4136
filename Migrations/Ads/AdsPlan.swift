import Fief

extension MigrationPlan {
  /// The migration steps of stores of advertisement counters.
  package static let ads = MigrationPlan([AdsVersion2.self, AdsVersion3.self])
}
