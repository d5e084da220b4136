import Fief

extension MigrationPlan {
  /// How stores of advertisement counters are brought up to date.
  package static let ads = MigrationPlan([AdsVersion2.self, AdsVersion3.self])
}
