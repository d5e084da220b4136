import Fief

extension MigrationPlan {
  /// How stores of products and orders are brought up to date.
  package static let payments = MigrationPlan([
    PaymentsVersion2.self, PaymentsVersion3.self, PaymentsVersion4.self,
  ])
}
