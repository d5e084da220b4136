import Fief

final class ModelOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name: String?
  @Persisted var pet: RandomPet?
  @Persisted var pets: List<RandomPet>
  @Persisted var home: ModelHome?
  @Persisted(originProperty: "owner") var owned: LinkingObjects<RandomPet>
}

final class RandomPet: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var weight = 0.0
  @Persisted var owner: ModelOwner?
  @Persisted var friends: MutableSet<RandomPet>
  @Persisted var tags: Map<String, Int>
}

/// No primary key; `mark` identifies notes.
final class RandomNote: Object {
  @Persisted(indexed: true) var mark = 0
  @Persisted(indexed: true) var text: String
  @Persisted var about: ModelOwner?
  @Persisted var places: List<ModelHome>
}

final class ModelHome: EmbeddedObject {
  @Persisted var street: String
  @Persisted var floor: Int?
}

struct ModelRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "model" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ModelOwner.self, RandomPet.self, RandomNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [ModelHome.self] }
  var migrationBlock: MigrationBlock? { nil }
}
