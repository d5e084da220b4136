import FiefRealm
import Foundation

class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var favourite: Dog?
}

class Dog: Object {
  @Persisted var name = ""
}

func example() throws {
  let realm = try Realm()
  try realm.write {
    realm.add(Person(value: ["id": 1, "name": "Jones"]), update: .modified)
    realm.add(Person(value: ["id": 1, "name": "Anna"]), update: .all)
    let person = realm.create(Person.self, value: ["id": 1, "favourite": Dog(value: ["Rex"])], update: .modified)
    realm.create(Person.self, value: ["id": 1, "name": "Dachshund"] as [String: Any], update: .error)
    print(person.name)
  }
}
