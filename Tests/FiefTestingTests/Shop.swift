import Fief
import Foundation

enum ShopMood: String, PersistableEnum { case calm, wild }

final class ShopDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var weight: Double?
  @Persisted var mood: ShopMood
  @Persisted var born: Date?
  @Persisted var photo: Data
  @Persisted var owner: ShopPerson?
  @Persisted var tags: List<String>
  @Persisted var chip: ShopChip?
  @Persisted var scores: Map<String, Int>
  @Persisted var colours: MutableSet<String>

  convenience init(_ id: Int, _ name: String) {
    self.init()
    self.id = id
    self.name = name
  }
}

final class ShopPerson: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var dogs: List<ShopDog>

  convenience init(_ id: String) {
    self.init()
    self.id = id
  }
}

final class ShopChip: EmbeddedObject {
  @Persisted var number = 0
}

final class ShopVisit: Object {
  @Persisted var page = ""

  convenience init(_ page: String) {
    self.init()
    self.page = page
  }
}

/// Repositories as an application has them.
class ShopRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "shop" }
  var schemaVersion: UInt64? { 3 }
  var objectTypes: [Object.Type]? { [ShopDog.self, ShopPerson.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [ShopChip.self] }
  var migrationBlock: MigrationBlock? { nil }
}

struct VisitRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: "visits") }
  var schemaName: String? { "visits" }
  var schemaVersion: UInt64? { nil }
  var objectTypes: [Object.Type]? { [ShopVisit.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}

/// Code of an application that makes its own repositories.
struct Shop {
  func add(_ id: Int, _ name: String) throws {
    try ShopRepository().saveAndWait(entity: ShopDog(id, name), update: false)
    try VisitRepository().write { try $0.add(ShopVisit("dog \(id)")) }
  }

  func addLater(_ id: Int, _ name: String) async throws {
    try await ShopRepository().save(entity: ShopDog(id, name), update: false)
  }
}
