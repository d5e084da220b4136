import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var names: List<String>
  @Persisted var cities: Map<String, String>
  @Persisted var tricks: MutableSet<String>
}

func example(realm: Realm) throws {
  guard let dog = realm.objects(Dog.self).first else { return }
  try realm.write {
    dog.names.removeAll()
    dog.names.removeFirst()
    dog.names.removeLast(2)
    dog.names.remove(at: 0)
    dog.cities["home"] = nil
    dog.cities.removeAll()
    dog.tricks.remove("roll")
    dog.tricks.removeAll()
  }
}
