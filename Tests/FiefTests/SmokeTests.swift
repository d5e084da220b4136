import Fief
import Foundation
import Testing

final class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name: String
  @Persisted var age: Int?
  @Persisted var owner: Person?
  @Persisted var tags: List<String>
}
final class Person: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name = "x"
  @Persisted var dogs: List<Dog>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>
  @Persisted var address: Address?
}
final class Address: EmbeddedObject {
  @Persisted var street = ""
}
class Repo: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: nil) }
  var schemaName: String? { "pets" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Dog.self, Person.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [Address.self] }
  var migrationBlock: MigrationBlock? { nil }
}

@Test func smoke() throws {
  let repo = Repo()
  if let e = repo.store().openingError { throw e }
  let dog = Dog()
  dog.id = 1
  dog.name = "Lulu"
  dog.tags.append("a")
  let p = Person()
  p.name = "Jane"
  p.address = Address()
  p.address?.street = "Main"
  dog.owner = p
  p.dogs.append(dog)
  repo.save(entity: dog, update: false) { r in
    if case .failure(let e) = r { Issue.record(e) }
  }
  repo.save(entity: Dog(value: ["id": 1]), update: false) { r in
    if case .failure(let e) = r { print(e) } else { Issue.record("no failure") }
  }
  let found = try #require(repo.object(ofType: Dog.self, forPrimaryKey: 1))
  #expect(found.name == "Lulu" && found.tags.first == "a" && found.owner?.name == "Jane")
  #expect(found.owner?.dogs.first?.id == 1)
  #expect(found.owner?.owned.count == 1)
  #expect(found.owner?.address?.street == "Main")
  try repo.write { tx in
    let d = try #require(try tx.object(ofType: Dog.self, forPrimaryKey: 1))
    d.name = "Rex"
    d.owner?.address?.street = "Side"
    d.tags.append("b")
    #expect(d.owner?.dogs.first === d)
  }
  let again = try #require(repo.queryAll(returningClass: Dog.self)?.first)
  #expect(again.name == "Rex" && Array(again.tags) == ["a", "b"])
  #expect(again.owner?.address?.street == "Side")
  #expect(try repo.count(Dog.self) == 1)
  repo.delete(entity: again) { r in if case .failure(let e) = r { Issue.record(e) } }
  #expect(try repo.count(Dog.self) == 0)
  let person = try #require(repo.queryAll(returningClass: Person.self)?.first)
  #expect(person.dogs.isEmpty)
  #expect(person.owned.isEmpty)
  let check = try repo.check()
  #expect(check.problems == [])
  print(person, check, try repo.overview())
}
