import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
  @Persisted var planet = ""
}

func example() throws {
  let realm = try Realm()
  let people = realm.objects(Person.self)
  try realm.write {
    people.first?.setValue("Ada", forKey: "name")
    people.setValue("Earth", forKey: "planet")
    people.first?["name"] = "Eve"
  }
  let names = people.value(forKey: "name")
  let first = people.first?.value(forKey: "planet") as? String
  print(names, first ?? "", people.first?["name"] ?? "")
}
