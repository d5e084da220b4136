import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toys: List<Toy>
}

class Toy: Object {
  @Persisted var kind = ""
}

func example(realm: Realm, dog: Dog) throws {
  try realm.write {
    realm.delete(dog.toys)
    realm.delete(dog)
    realm.delete(realm.objects(Dog.self).filter("age < 1"))
    realm.delete(realm.objects(Dog.self).where { $0.name == "Rex" })
    realm.delete(Array(realm.objects(Toy.self)))
    realm.delete(realm.objects(Toy.self))
    realm.deleteAll()
  }
}
