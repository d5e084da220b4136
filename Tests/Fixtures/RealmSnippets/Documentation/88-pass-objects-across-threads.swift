import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
}

func example(person: Person) {
  let reference = ThreadSafeReference(to: person)
  DispatchQueue(label: "background", autoreleaseFrequency: .workItem).async {
    let realm = try! Realm()
    try! realm.write {
      guard let person = realm.resolve(reference) else { return }
      person.name = "Jane Doe"
    }
  }
}
