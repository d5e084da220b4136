import Fief
import FiefTesting
import Foundation
import PetStoreMigrations
import Testing

@testable import FiefCore
@testable import PetStoreKit

@Suite("The plans of the example") struct PlanTests {
  private typealias Domain = (
    name: String, plan: MigrationPlan, repository: any DatabaseConfigurable & Sendable
  )

  private static let domains: [Domain] = [
    ("auth", .auth, AuthRepository(directory: "never opened")),
    ("pets", .pets, PetRepository(directory: "never opened")),
    ("payments", .payments, PaymentsRepository(directory: "never opened")),
    ("catalogue", .catalogue, CatalogueRepository(directory: "never opened")),
    ("ads", .ads, AdRepository(identifier: "never opened")),
  ]

  @Test("Each can run, begins with version 1 and leads to its repository's version")
  func plans() {
    #expect(Self.domains.count == 5)
    for (name, plan, repository) in Self.domains {
      #expect(plan.error == nil, "\(name)")
      #expect(plan.version == repository.schemaVersion, "\(name)")
      #expect(plan.oldestVersion == 1, "\(name)")
      #expect(plan.steps.count >= 2, "\(name)")
      for step in plan.steps {
        #expect(!step.name.isEmpty && !step.description.isEmpty, "\(step)")
        #expect(step == plan.steps.last || step.objectTypes != nil, "\(step) has to freeze its classes")
      }
    }
  }

  @Test("There is a fixture of every version")
  func fixtures() throws {
    for (name, plan, _) in Self.domains {
      #expect(try FixtureStores.versions(of: name) == Array(1...plan.version), "\(name)")
    }
  }

  @Test("A store of the newest version opens without migrating, and with what was in it")
  func newest() throws {
    for (name, plan, repository) in Self.domains {
      try FixtureStores.with(name, version: plan.version) { directory in
        let events = Events()
        var options = StoreOptions()
        options.eventHandler = { events.note($0) }
        let store = TestRepository(
          name,
          in: directory,
          version: plan.version,
          objectTypes: repository.objectTypes,
          embedded: repository.embeddedObjectTypes,
          options: options,
          migration: { _, _ in throw Unexpected() }
        )
        defer { store.close() }
        try FixtureStores.check(store, version: plan.version)
        #expect(try store.overview().types.allSatisfy { $0.count > 0 }, "\(name)")
        #expect(events.migrations == 0)
      }
    }
  }

  @Test("A store of a version after the newest is refused, as it is")
  func newer() throws {
    try FixtureStores.with("pets", version: 2) { directory in
      let old = VersionRepository("pets", at: PetsVersion1.self, in: directory)
      let error = #expect(throws: FiefError.self) { try old.check() }
      #expect(error?.code == .versionTooLow)
      let same = VersionRepository("pets", at: PetsVersion2.self, in: directory)
      defer { same.close() }
      try FixtureStores.check(same, version: 2)
    }
  }

  @Test("A store that takes every class of the process does not get the frozen ones")
  func everyClass() throws {
    let names = try DefaultSchema.objectTypes().map { String(reflecting: $0) }
    #expect(names.contains("PetStoreKit.Dog"))
    #expect(names.filter { $0.hasPrefix("PetStoreMigrations.") } == [])
    let embedded = try DefaultSchema.embeddedTypes().map { String(reflecting: $0) }
    #expect(embedded.contains("PetStoreKit.Address"))
    #expect(embedded.filter { $0.hasPrefix("PetStoreMigrations.") } == [])
  }
}

private struct Unexpected: Error {}

/// Counts the migrations that are reported.
private final class Events: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var migrations: Int { lock.withLock { count } }

  func note(_ event: StoreEvent) {
    guard case .migrated = event else { return }
    lock.withLock { count += 1 }
  }
}
