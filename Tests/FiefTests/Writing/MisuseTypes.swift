import Fief
import Foundation

class MisuseAnimal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var legs = 4
}

final class MisuseDog: MisuseAnimal {
  @Persisted var breed = ""
}

final class MisuseZoo: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var star: MisuseAnimal?
  @Persisted var animals: List<MisuseAnimal>
  @Persisted var tags: MutableSet<MisuseTag>
  @Persisted var box: MisuseBox?
}

final class MisuseHerd: Object {
  @Persisted var animals: MutableSet<MisuseAnimal>
}

/// No primary key.
final class MisuseTag: Object {
  @Persisted var name = ""
}

class MisuseBox: EmbeddedObject {
  @Persisted var inner: MisuseBox?
}

final class MisuseLargeBox: MisuseBox {
  @Persisted var size = 0
}

struct MisuseRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType = .inMemory(identifier: UUID().uuidString)
  var schemaVersion: UInt64? = 1

  var schemaName: String? { "misuse" }
  var objectTypes: [Object.Type]? {
    [MisuseAnimal.self, MisuseDog.self, MisuseZoo.self, MisuseTag.self, MisuseHerd.self]
  }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [MisuseBox.self, MisuseLargeBox.self] }
  var migrationBlock: MigrationBlock? { nil }

  func saveNow(_ objects: [Object], _ policy: UpdatePolicy = .all) throws {
    try saveAndWait(entities: objects, update: policy)
  }

  func failure(_ objects: [Object]) -> FiefError? {
    do { try saveNow(objects) } catch { return error as? FiefError }
    return nil
  }

  func animal(_ id: Int) -> MisuseAnimal? { object(ofType: MisuseAnimal.self, forPrimaryKey: id) }
}

extension MisuseAnimal {
  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}
