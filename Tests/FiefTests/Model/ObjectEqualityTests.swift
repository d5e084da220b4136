import Fief
import Foundation
import Testing

final class EqualPerson: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var friends: List<EqualPerson>
}

final class EqualDog: Object, Identifiable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var owner: EqualPerson?
}

final class EqualNote: Object, ObjectKeyIdentifiable {
  @Persisted var text = ""
}

final class EqualTask: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id = "x"
}

@Suite("Equal objects")
struct ObjectEqualityTests {
  private static let types: [Object.Type] = [EqualPerson.self, EqualDog.self, EqualNote.self, EqualTask.self]

  private func store(_ place: TypedPlace) throws -> TypedStore { try TypedStore(place, Self.types) }

  @Test("by class, store and key, never by contents", arguments: TypedPlace.allCases)
  func keys(place: TypedPlace) throws {
    let store = try store(place)
    try store.put(
      EqualPerson(value: ["name": "Ann", "age": 1]),
      EqualPerson(value: ["name": "Ben", "age": 1])
    )
    let first = try store.get(EqualPerson.self, "Ann")
    store.reopen()
    let second = try store.get(EqualPerson.self, "Ann")
    #expect(
      first !== second && first == second && first.hashValue == second.hashValue && first.id == second.id
    )
    second.age = 7
    #expect(first == second && Set([first, second]).count == 1)
    #expect(try first != store.get(EqualPerson.self, "Ben"))

    // The same key elsewhere is another object, and so is one that was never saved.
    let other = try self.store(place)
    try other.put(EqualPerson(value: ["name": "Ann"]))
    #expect(try first != other.get(EqualPerson.self, "Ann"))
    let new = EqualPerson(value: ["name": "Ann"])
    #expect(
      first != new && new == new && new != EqualPerson(value: ["name": "Ann"]) && first != first.detached()
    )
    let task = EqualTask()
    #expect(task.id == "x" && (task as Object) != (first as Object))
  }

  @Test(
    "without a primary key by the instance, and by the row once it is saved",
    arguments: TypedPlace.allCases
  )
  func rows(place: TypedPlace) throws {
    let store = try store(place)
    let (note, twin) = (EqualNote(value: ["text": "a"]), EqualNote(value: ["text": "a"]))
    #expect(note != twin && note.id != twin.id && Set([note, twin, note]).count == 2)
    try store.put(note, twin)
    #expect(note != twin && Set([note, twin, note]).count == 2)
    let found = try store.read { try $0.objects(EqualNote.self).all() }
    #expect(Set(found) == [note, twin] && found.contains(note))
    #expect(found.count == 2 && found.contains { $0.id == note.id } && found.contains { $0.id == twin.id })
  }

  @Test("live objects, links and collections", arguments: TypedPlace.allCases)
  func live(place: TypedPlace) throws {
    let store = try store(place)
    let ann = EqualPerson(value: ["name": "Ann", "friends": [EqualPerson(value: ["name": "Ben"])]])
    try store.put(EqualDog(value: ["id": 1, "owner": ann]), EqualDog(value: ["id": 2]))
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: EqualPerson.self, forPrimaryKey: "Ann"))
      let dog = try #require(try transaction.object(ofType: EqualDog.self, forPrimaryKey: 1))
      #expect(dog.owner == live && live == ann && dog.owner == ann)
      let ben = try #require(live.friends.first)
      #expect(live.friends.contains(ben) && !live.friends.contains(live))
    }
  }

  @Test("a predicate compares links with nil and with objects", arguments: TypedPlace.allCases)
  func predicates(place: TypedPlace) throws {
    let store = try store(place)
    let (ann, ben) = (EqualPerson(value: ["name": "Ann"]), EqualPerson(value: ["name": "Ben"]))
    ann.friends.append(ben)
    try store.put(
      EqualDog(value: ["id": 1, "owner": ann]),
      EqualDog(value: ["id": 2]),
      EqualDog(value: ["id": 3, "owner": ben])
    )
    store.reopen()
    func ids(_ predicate: Predicate<EqualDog>) throws -> [Int] {
      try store.read { try $0.objects(EqualDog.self).filter(predicate).all().map(\.id) }
    }
    let person = try store.get(EqualPerson.self, "Ann")
    let none: EqualPerson? = nil
    #expect(try ids(#Predicate { $0.owner == nil }) == [2])
    #expect(try ids(#Predicate { $0.owner != nil }) == [1, 3])
    #expect(try ids(#Predicate { $0.owner == person }) == [1])
    #expect(try ids(#Predicate { $0.owner != person }) == [2, 3])
    #expect(try ids(#Predicate { $0.owner == none }) == [2])
    let people = try store.read { scope in
      try scope.objects(EqualPerson.self).filter(#Predicate { $0.friends.contains(ben) }).all().map(\.name)
    }
    #expect(people == ["Ann"])
    // A predicate can go to other threads: it does not have the object.
    let predicate = #Predicate<EqualDog> { $0.owner == person }
    #expect(throws: FiefError.self) { try predicate.evaluate(EqualDog()) }
  }
}
