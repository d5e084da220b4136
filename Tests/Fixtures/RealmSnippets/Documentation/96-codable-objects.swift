import FiefRealm
import Foundation

class Pet: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name: String
  @Persisted var tags: List<String>
  @Persisted var chip: UUID?
}

func example(data: Data, realm: Realm) throws -> Data {
  let pets = try JSONDecoder().decode([Pet].self, from: data)
  try realm.write { realm.add(pets, update: .modified) }
  return try JSONEncoder().encode(realm.objects(Pet.self))
}
