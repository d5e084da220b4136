import Fief

extension MigrationPlan {
  /// How stores of people and their dogs are brought up to date.
  package static let pets = MigrationPlan([PetsVersion2.self, PetsVersion3.self])
}
