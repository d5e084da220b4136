import Fief
import PetStoreKit
import PetStoreMigrations

/// One fixture store: a domain at a version, and what is in it.
struct Fixture: Sendable {
  /// The domain, which is also the store's name.
  let domain: String
  /// The version of its classes.
  let version: UInt64
  /// The description of the store under a directory.
  let repository: @Sendable (_ directory: String) -> any DatabaseConfigurable
  /// Writes the objects.
  let fill: @Sendable (WriteTransaction) throws -> Void

  /// A fixture of a version whose classes are frozen.
  init(
    _ domain: String,
    _ step: any MigrationStep.Type,
    _ fill: @escaping @Sendable (WriteTransaction) throws -> Void
  ) {
    self.domain = domain
    self.version = step.version
    self.repository = { VersionRepository(domain, at: step, in: $0) }
    self.fill = fill
  }

  /// A fixture of a version that was the newest when it was described, and whose classes are frozen now.
  init(
    _ domain: String,
    _ step: any MigrationStep.Type,
    byName fill: @escaping @Sendable (NewestObjects) throws -> Void
  ) {
    self.init(domain, step) { tx in try fill(NewestObjects(tx, step.objectTypes ?? [])) }
  }

  /// A fixture of the version that the application has. It is left out when the application has another one:
  /// then its classes are not those of this version any more.
  init?<Repository: DatabaseConfigurable & SendableMetatype>(
    _ domain: String,
    newest version: UInt64,
    _ application: @escaping @Sendable (_ directory: String) -> Repository,
    _ fill: @escaping @Sendable (NewestObjects) throws -> Void
  ) {
    guard application("").schemaVersion == version else { return nil }
    self.domain = domain
    self.version = version
    self.repository = { NewestRepository(domain, like: application($0), in: $0) }
    self.fill = { tx in try fill(NewestObjects(tx, application("").objectTypes ?? [])) }
  }

  /// All fixtures that the sources can make.
  static let all: [Fixture] =
    [
      Fixture("auth", AuthVersion1.self, AuthSample1.fill),
      Fixture("auth", AuthVersion2.self, AuthSample2.fill),
      Fixture("pets", PetsVersion1.self, PetsSample1.fill),
      Fixture("pets", PetsVersion2.self, PetsSample2.fill),
      Fixture("payments", PaymentsVersion1.self, PaymentsSample1.fill),
      Fixture("payments", PaymentsVersion2.self, PaymentsSample2.fill),
      Fixture("catalogue", CatalogueVersion1.self, CatalogueSample1.fill),
      Fixture("catalogue", CatalogueVersion2.self, CatalogueSample2.fill),
      Fixture("payments", PaymentsVersion3.self, byName: PaymentsSample3.fill),
      Fixture("catalogue", CatalogueVersion3.self, byName: CatalogueSample3.fill),
      Fixture("payments", PaymentsVersion4.self, byName: PaymentsSample4.fill),
      Fixture("catalogue", CatalogueVersion4.self, byName: CatalogueSample4.fill),
      Fixture("auth", AuthVersion3.self, byName: AuthSample3.fill),
      Fixture("ads", AdsVersion1.self, AdsSample1.fill),
      Fixture("ads", AdsVersion2.self, AdsSample2.fill),
    ]
    + [
      Fixture("auth", newest: 4, { AuthRepository(directory: $0) }, AuthSample4.fill),
      Fixture("pets", newest: 3, { PetRepository(directory: $0) }, PetsSample3.fill),
      Fixture("payments", newest: 5, { PaymentsRepository(directory: $0) }, PaymentsSample5.fill),
      Fixture("catalogue", newest: 5, { CatalogueRepository(directory: $0) }, CatalogueSample5.fill),
      Fixture("ads", newest: 3, { AdRepository(identifier: $0) }, AdsSample3.fill),
    ]
    .compactMap(\.self)
}
