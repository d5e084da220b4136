import Fief

/// The three domains that the workload writes to at once.
package enum StressDomain: String, Sendable, CaseIterable {
  case auth
  case pets
  case payments
}

/// A repository of one of the domains.
package struct StressRepository: DatabaseConfigurable, Sendable {
  package var domain: StressDomain
  package var realmMemoryType: RealmMemoryType
  package var directory: String?
  package var storeOptions = StoreOptions()

  package init(_ domain: StressDomain, directory: String) {
    self.domain = domain
    self.realmMemoryType = .inStorage
    self.directory = directory
  }

  package init(_ domain: StressDomain, identifier: String) {
    self.domain = domain
    self.realmMemoryType = .inMemory(identifier: identifier)
  }

  package var schemaName: String? { domain.rawValue }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? {
    switch domain {
    case .auth: [StressUser.self, StressSession.self]
    case .pets: [StressPerson.self, StressDog.self]
    case .payments: [StressOrder.self, StressEntry.self]
    }
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? {
    switch domain {
    case .auth: []
    case .pets: [StressAddress.self]
    case .payments: [StressLine.self]
    }
  }
  package var migrationBlock: MigrationBlock? { nil }
}

/// The repositories of the three domains.
package struct StressRepositories: Sendable {
  package let auth: StressRepository
  package let pets: StressRepository
  package let payments: StressRepository

  package init(_ make: (StressDomain) -> StressRepository) {
    auth = make(.auth)
    pets = make(.pets)
    payments = make(.payments)
  }

  package var all: [StressRepository] { [auth, pets, payments] }

  package func close() {
    for repository in all { repository.close() }
  }
}
