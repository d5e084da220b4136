import FiefRealm
import Foundation

class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

func example(realm: Realm, dog: Dog, other: Dog) {
  let dogs = realm.objects(Dog.self)
  print(dog == other, dog.isSameObject(as: other), dog.isEqual(other), dog.hash)
  print(dogs.index(of: dog) ?? -1, dogs.index(matching: "name == %@", "Rex") ?? -1)
  print(dogs.index(matching: { $0.name == "Rex" }) ?? -1, dogs.contains(dog))
  print(dog.objectSchema.className, dog.isInvalidated, dog.realm == nil, dog.description)
}
