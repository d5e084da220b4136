import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
}

func example() {
  let realm = try! Realm()
  let frozenRealm = realm.freeze()
  assert(frozenRealm.isFrozen)
  let people = realm.objects(Person.self)
  let frozenPeople = people.freeze()
  let inFrozenRealm = frozenRealm.objects(Person.self)
  assert(frozenPeople.isFrozen && inFrozenRealm.isFrozen)
  let person = people.first!
  let frozenPerson = person.freeze()
  assert(!person.realm!.isFrozen && frozenPerson.realm!.isFrozen)
  DispatchQueue.global().async {
    print(frozenPerson.name)
  }
}
