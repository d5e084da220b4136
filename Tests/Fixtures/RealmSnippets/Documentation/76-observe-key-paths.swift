import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
  @Persisted var city = ""
  @Persisted var siblings: List<Person>
}

func example(realm: Realm, person: Person) -> [NotificationToken] {
  [
    realm.objects(Person.self).observe(keyPaths: ["name", "siblings.name"]) { _ in },
    realm.objects(Person.self).observe(keyPaths: [\Person.name, \Person.siblings]) { changes in print(changes) },
    person.observe(keyPaths: [\Person.city]) { change in print(change) },
    person.siblings.observe(keyPaths: [\.name], on: DispatchQueue(label: "names")) { _ in },
  ]
}
