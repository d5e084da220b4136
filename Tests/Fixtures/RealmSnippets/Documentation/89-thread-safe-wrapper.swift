import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
}

func example(realm: Realm) throws {
  let person = Person(value: ["Jane"])
  try realm.write { realm.add(person) }
  @ThreadSafe var reference = person
  DispatchQueue(label: "background").async {
    let realm = try! Realm()
    try! realm.write {
      reference?.name = "Jane Doe"
    }
  }
}

func rename(@ThreadSafe person: Person?) async throws {
  let realm = try await Realm()
  try realm.write { person?.name = "Janet" }
}
