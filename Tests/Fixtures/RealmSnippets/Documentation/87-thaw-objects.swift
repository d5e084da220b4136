import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
  @Persisted var friends: List<Person>
}

func example(frozen: Person, list: List<Person>, all: Results<Person>) throws {
  let person = frozen.thaw()
  assert(person?.isInvalidated == false)
  let realm = person!.realm!.thaw()
  try realm.write {
    person!.name = "John"
    person?.friends.append(list.thaw()!.first!)
  }
  print(all.thaw()?.count ?? 0)
}
