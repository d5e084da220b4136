import Fief

/// The three domains that the workload writes to at once.
public enum StressDomain: String, Sendable, CaseIterable {
  case auth
  case pets
  case payments
}

/// A repository of one of the domains.
public struct StressRepository: DatabaseConfigurable, Sendable {
  public var domain: StressDomain
  public var realmMemoryType: RealmMemoryType
  public var directory: String?
  public var storeOptions = StoreOptions()

  public init(_ domain: StressDomain, directory: String) {
    self.domain = domain
    self.realmMemoryType = .inStorage
    self.directory = directory
  }

  public init(_ domain: StressDomain, identifier: String) {
    self.domain = domain
    self.realmMemoryType = .inMemory(identifier: identifier)
  }

  public var schemaName: String? { domain.rawValue }
  public var schemaVersion: UInt64? { 1 }
  public var objectTypes: [Object.Type]? {
    switch domain {
    case .auth: [StressUser.self, StressSession.self]
    case .pets: [StressPerson.self, StressDog.self]
    case .payments: [StressOrder.self, StressEntry.self]
    }
  }
  public var embeddedObjectTypes: [EmbeddedObject.Type]? {
    switch domain {
    case .auth: []
    case .pets: [StressAddress.self]
    case .payments: [StressLine.self]
    }
  }
  public var migrationBlock: MigrationBlock? { nil }
}

/// The repositories of the three domains.
public struct StressRepositories: Sendable {
  public let auth: StressRepository
  public let pets: StressRepository
  public let payments: StressRepository

  public init(_ make: (StressDomain) -> StressRepository) {
    auth = make(.auth)
    pets = make(.pets)
    payments = make(.payments)
  }

  public var all: [StressRepository] { [auth, pets, payments] }

  public func close() {
    for repository in all { repository.close() }
  }
}
