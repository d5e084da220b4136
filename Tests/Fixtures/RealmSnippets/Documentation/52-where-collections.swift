import FiefRealm
import Foundation

class Group: Object {
  @Persisted var tags: List<String>
  @Persisted var codes: MutableSet<Int>
  @Persisted var people: List<Person>
  @Persisted var ranks: Map<String, Int>
}

class Person: Object {
  @Persisted var age = 0
}

func example(realm: Realm, person: Person) {
  let groups = realm.objects(Group.self)
  print(groups.where { $0.tags.contains("new") }.count, groups.where { $0.codes.containsAny(in: [1, 2]) }.count)
  print(groups.where { $0.people.contains(person) }.count, groups.where { $0.people.age.max >= 30 }.count)
  print(groups.where { $0.people.count > 1 }.count, groups.where { $0.ranks["a"] == 1 }.count)
  print(groups.where { $0.ranks.keys == "b" }.count, groups.where { $0.ranks.values > 3 }.count)
}
