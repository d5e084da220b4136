import Fief
import Foundation

class Person: Object {
  @Persisted(primaryKey: true) var id = UUID().uuidString
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?
}

class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

  convenience init(id: Int, name: String, age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city: String?
}

class Token: Object {
  @Persisted var value = ""
}
