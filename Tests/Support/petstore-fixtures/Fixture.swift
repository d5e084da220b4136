import Fief
import PetStoreMigrations

/// One fixture store: a domain at a version, and what is in it.
struct Fixture: Sendable {
  /// The domain, which is also the store's name.
  let domain: String
  /// The step whose classes the store has.
  let step: any MigrationStep.Type
  /// Writes the objects.
  let fill: @Sendable (WriteTransaction) throws -> Void

  /// All fixtures that the sources can make.
  static let all: [Fixture] = [
    Fixture(domain: "auth", step: AuthVersion1.self, fill: AuthSample1.fill),
    Fixture(domain: "pets", step: PetsVersion1.self, fill: PetsSample1.fill),
    Fixture(domain: "payments", step: PaymentsVersion1.self, fill: PaymentsSample1.fill),
    Fixture(domain: "catalogue", step: CatalogueVersion1.self, fill: CatalogueSample1.fill),
    Fixture(domain: "ads", step: AdsVersion1.self, fill: AdsSample1.fill),
    Fixture(domain: "auth", step: AuthVersion2.self, fill: AuthSample2.fill),
    Fixture(domain: "pets", step: PetsVersion2.self, fill: PetsSample2.fill),
    Fixture(domain: "payments", step: PaymentsVersion2.self, fill: PaymentsSample2.fill),
    Fixture(domain: "catalogue", step: CatalogueVersion2.self, fill: CatalogueSample2.fill),
    Fixture(domain: "ads", step: AdsVersion2.self, fill: AdsSample2.fill),
  ]
}
