import Fief

extension MigrationPlan {
  /// The migration steps of stores of products and orders.
  package static let payments = MigrationPlan([
    PaymentsVersion2.self, PaymentsVersion3.self, PaymentsVersion4.self,
    PaymentsVersion5.self,
  ])
}
