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

/// No primary key; `mark` tells notes apart.
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

/// What the store should hold, in dictionaries.
struct ModelContents: Equatable {
  struct Owner: Equatable {
    var name: String?
    var pet: String?
    var pets: [String] = []
    var home: Home?
  }
  struct Pet: Equatable {
    var weight = 0.0
    var owner: Int?
    var friends: Set<String> = []
    var tags: [String: Int] = [:]
  }
  struct Note: Equatable {
    var text = ""
    var about: Int?
    var places: [Home] = []
  }
  struct Home: Equatable {
    var street = ""
    var floor: Int?
  }

  var owners: [Int: Owner] = [:]
  var pets: [String: Pet] = [:]
  var notes: [Int: Note] = [:]

  mutating func deleteOwner(_ id: Int) {
    owners[id] = nil
    for name in pets.keys where pets[name]?.owner == id { pets[name]?.owner = nil }
    for mark in notes.keys where notes[mark]?.about == id { notes[mark]?.about = nil }
  }

  mutating func deletePet(_ name: String) {
    pets[name] = nil
    for id in owners.keys {
      if owners[id]?.pet == name { owners[id]?.pet = nil }
      owners[id]?.pets.removeAll { $0 == name }
    }
    for other in pets.keys { pets[other]?.friends.remove(name) }
  }
}

extension ModelContents {
  /// What a store holds, read in one transaction.
  init(_ repository: ModelRepository) throws {
    try repository.read { snapshot in
      for owner in snapshot.objects(ModelOwner.self) {
        owners[owner.id] = Owner(
          name: owner.name,
          pet: owner.pet?.name,
          pets: owner.pets.map(\.name),
          home: owner.home.map(Home.init)
        )
      }
      for pet in snapshot.objects(RandomPet.self) {
        pets[pet.name] = Pet(
          weight: pet.weight,
          owner: pet.owner?.id,
          friends: Set(pet.friends.map(\.name)),
          tags: Dictionary(uniqueKeysWithValues: pet.tags.map { ($0.key, $0.value) })
        )
      }
      for note in snapshot.objects(RandomNote.self) {
        notes[note.mark] = Note(text: note.text, about: note.about?.id, places: note.places.map(Home.init))
      }
    }
  }

  /// The inverse of `Pet.owner`, from the dictionaries.
  func owned(by id: Int) -> Set<String> { Set(pets.filter { $0.value.owner == id }.keys) }
}

extension ModelContents.Home {
  init(_ home: ModelHome) { self.init(street: home.street, floor: home.floor) }

  var object: ModelHome {
    let home = ModelHome()
    home.street = street
    home.floor = floor
    return home
  }
}
