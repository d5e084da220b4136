import Fief

extension MigrationPlan {
  /// How stores of the distribution's packages are brought up to date.
  package static let catalogue = MigrationPlan([
    CatalogueVersion2.self, CatalogueVersion3.self, CatalogueVersion4.self,
  ])
}
