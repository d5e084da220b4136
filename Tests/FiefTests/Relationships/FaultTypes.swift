import Fief
import Foundation

final class FaultUser: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var best: FaultUser?
  @Persisted var home: FaultHome?
  @Persisted(originProperty: "members") var chats: LinkingObjects<FaultChat>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<FaultChat>
  @Persisted(originProperty: "watchers") var watched: LinkingObjects<FaultChat>
  @Persisted(originProperty: "roles") var roles: LinkingObjects<FaultChat>
}

final class FaultHome: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city: FaultCity?
}

final class FaultCity: Object {
  @Persisted(primaryKey: true) var name = ""
}

final class FaultChat: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var owner: FaultUser?
  @Persisted var members: List<FaultUser>
  @Persisted var watchers: MutableSet<FaultUser>
  @Persisted var roles: Map<String, FaultUser?>
}

/// A class without a primary key.
final class FaultPerson: Object {
  @Persisted var name = ""
  @Persisted var parent: FaultPerson?
  @Persisted(originProperty: "parent") var children: LinkingObjects<FaultPerson>
}

enum FaultPlace: CaseIterable {
  case disk, memory
}

struct FaultRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var events = FaultEvents()
  var schemaName: String? { "faults" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [FaultUser.self, FaultCity.self, FaultChat.self, FaultPerson.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [FaultHome.self] }
  var migrationBlock: MigrationBlock? { nil }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.eventHandler = { [events] in events.append($0) }
    return options
  }

  static func with<Value>(
    _ place: FaultPlace,
    _ body: (FaultRepository) throws -> Value
  ) throws -> Value {
    switch place {
    case .memory:
      return try body(FaultRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString)))
    case .disk:
      let directory = try TemporaryDirectory()
      defer { withExtendedLifetime(directory) {} }
      return try body(FaultRepository(realmMemoryType: .inStorage, directory: directory.path))
    }
  }

  /// The increase of the counters by a closure.
  func counting(_ body: () throws -> Void) rethrows -> FaultReads {
    let before = store().metrics
    try body()
    let after = store().metrics
    return FaultReads(
      objects: after.objectsRead - before.objectsRead,
      links: after.linksFollowed - before.linksFollowed,
      lookups: after.lookups - before.lookups
    )
  }
}

final class FaultEvents: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [StoreEvent] = []

  func append(_ event: StoreEvent) { lock.withLock { events.append(event) } }

  var misuses: [FiefError] {
    lock.withLock {
      events.compactMap {
        guard case .misuse(let error) = $0 else { return nil }
        return error
      }
    }
  }

  var failures: Int {
    lock.withLock {
      events.count {
        guard case .failedRead = $0 else { return false }
        return true
      }
    }
  }
}

struct FaultReads: Equatable {
  var objects: UInt64 = 0
  var links: UInt64 = 0
  var lookups: UInt64 = 0
}
