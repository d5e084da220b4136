import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
}

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

func example(realm: Realm) {
  guard let person = realm.objects(Person.self).first else { return }
  let old = person.dogs.filter("age > 5").sorted(byKeyPath: "name")
  let young = person.dogs.where { $0.age < 5 }
  let dog = realm.objects(Dog.self).where { $0.owners.name == "Ada" }.first
  let named = realm.objects(Dog.self).filter("ANY owners.name == 'Ada'")
  print(old.count, young.count, dog?.owners.count ?? 0, named.count)
}
