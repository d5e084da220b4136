import Fief

extension MigrationPlan {
  /// The migration steps of stores of the distribution's packages.
  package static let catalogue = MigrationPlan([
    CatalogueVersion2.self, CatalogueVersion3.self, CatalogueVersion4.self,
    CatalogueVersion5.self,
  ])
}
