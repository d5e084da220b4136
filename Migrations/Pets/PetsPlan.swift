import Fief

extension MigrationPlan {
  /// The migration steps of stores of people and their dogs.
  package static let pets = MigrationPlan([PetsVersion2.self, PetsVersion3.self])
}
