import Fief
import FiefEncryption
import Foundation

final class MemberDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted(indexed: true) var city: String?
  @Persisted(indexed: true) var rank = 0
  @Persisted var mother: MemberDog?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<MemberOwner>
}

final class MemberHome: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var number = 0
  @Persisted var kennel: List<MemberDog>
}

final class MemberOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<MemberDog>
  @Persisted var pack: MutableSet<MemberDog>
  @Persisted var roles: Map<String, MemberDog?>
  @Persisted var guards: Map<String, MemberDog>
  @Persisted var home: MemberHome?
  @Persisted var homes: List<MemberHome>
  @Persisted var places: Map<String, MemberHome?>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Decimal?>
}

/// Objects with long keys, of which an entry of a large set has a part only.
final class MemberPage: Object {
  @Persisted(primaryKey: true) var path = ""
  @Persisted var rank = 0
}

final class MemberBook: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var pages: MutableSet<MemberPage>
}

enum MemberStore: CaseIterable {
  case disk, memory
  /// In memory and encrypted.
  case encrypted
}

struct MemberRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var storeOptions = StoreOptions()
  var schemaName: String? { "members" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [MemberDog.self, MemberOwner.self, MemberPage.self, MemberBook.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [MemberHome.self] }
  var migrationBlock: MigrationBlock? { nil }

  static func with<Value>(_ place: MemberStore, _ body: (MemberRepository) throws -> Value) throws -> Value {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let isOnDisk = place == .disk
    var repository = MemberRepository(
      realmMemoryType: isOnDisk ? .inStorage : .inMemory(identifier: UUID().uuidString),
      directory: isOnDisk ? directory.path : nil
    )
    if place == .encrypted { repository.storeOptions.encryption = .key(Data(repeating: 7, count: 32)) }
    return try body(repository)
  }

  /// An owner with dogs, of which many are in the list more than once.
  func fill(dogs: Int, elements: [Int]) throws {
    try write { tx in
      let all = (0..<dogs).map { Self.dog($0) }
      try tx.add(all)
      for id in 1..<max(dogs, 1) { all[id].mother = all[id / 2] }
      let owner = MemberOwner(value: ["id": 1, "name": "Ann"])
      owner.dogs.append(contentsOf: elements.map { all[$0] })
      for id in elements {
        owner.pack.insert(all[id])
        owner.roles["role \(id % 7) \(id)"] = all[id]
        owner.guards["guard \(id)"] = all[id]
      }
      owner.roles["none"] = .some(nil)
      owner.home = MemberHome(value: ["street": "Main"])
      owner.home?.kennel.append(contentsOf: elements.prefix(9).map { all[$0] })
      try tx.add(owner)
      try tx.add(MemberOwner(value: ["id": 2, "name": "Bob"]))
    }
  }

  static func dog(_ id: Int) -> MemberDog {
    let dog = MemberDog()
    dog.id = id
    dog.name = "dog \(id * 7 % 10)"
    dog.age = id * 5 % 13
    dog.weight = id % 4 == 0 ? nil : Double(id % 6)
    dog.city = ["Ulm", "Bonn", nil, "Kiel", "Aachen"][id % 5]
    dog.rank = id * 3 % 11
    return dog
  }

  /// Calls a closure with the first owner outside of a scope, in a read and in a write.
  func inEachScope(_ body: (MemberOwner) throws -> Void) throws {
    try body(try owner(in: nil))
    try read { try body(try owner(in: $0)) }
    try write { try body(try owner(in: $0)) }
  }

  func owner(_ id: Int = 1, in scope: AccessScope?) throws -> MemberOwner {
    let owner =
      try scope?.object(ofType: MemberOwner.self, forPrimaryKey: id)
      ?? object(ofType: MemberOwner.self, forPrimaryKey: id)
    guard let owner else { throw FiefError(.objectNotFound, "There is no such owner.") }
    return owner
  }
}
