import Fief
import Foundation
import Testing

@Suite("Objects held across writes")
struct HeldObjectTests {
  @Test("what a write assigns is stored, and nothing else of the copy", arguments: TypedPlace.allCases)
  func assigning(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a", age: 1))
    let dog = try store.dog(1)
    let other = try store.dog(1)
    other.name = "b"
    try store.put(other)
    try store.store().write {
      dog.age = 7
      #expect(dog.name == "b")
      #expect(store.store().objects(JoiningDog.self).where { $0.age == 7 }.count == 1)
    }
    #expect(dog.name == "b" && dog.age == 7)
    store.reopen()
    let found = try store.dog(1)
    #expect(found.name == "b" && found.age == 7)
  }

  @Test("one instance is changed in write after write", arguments: TypedPlace.allCases)
  func again(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, age: 1))
    let dog = try #require(store.store().objects(JoiningDog.self).first)
    for _ in 0..<3 { try store.store().write { dog.age += 1 } }
    #expect(dog.age == 4)
    #expect(try store.dog(1).age == 4)
  }

  @Test("instances that were added or saved before are changed", arguments: TypedPlace.allCases)
  func added(place: TypedPlace) throws {
    let store = try Joining.store(place)
    let (saved, added, person) = (JoiningDog(1), JoiningDog(2), JoiningPerson("p"))
    try store.put(saved)
    try store.write { transaction in
      try transaction.add(added)
      try transaction.add(person)
    }
    try store.write { _ in
      saved.name = "x"
      added.name = "y"
      person.name = "z"
    }
    store.reopen()
    #expect(try store.dog(1).name == "x" && store.dog(2).name == "y")
    #expect(store.queryAll(returningClass: JoiningPerson.self)?.map(\.name) == ["z"])
  }

  @Test("a save whose handler is still to be called comes before the write", arguments: TypedPlace.allCases)
  func leftSave(place: TypedPlace) throws {
    let store = try Joining.store(place)
    let dog = JoiningDog(1, "a")
    store.save(entity: dog, update: true) { _ in }
    try store.store().write { dog.name = "b" }
    #expect(try store.dog(1).name == "b")
  }

  @Test("results, links and inverses that are held lead to the write's state", arguments: TypedPlace.allCases)
  func reached(place: TypedPlace) throws {
    let (first, second) = (JoiningDog(1, age: 1), JoiningDog(2, age: 2))
    first.friends.append(second)
    let store = try Joining.store(place, with: first, second)
    let results = store.store().objects(JoiningDog.self).sorted(byKeyPath: "id")
    let held = try store.dog(1)
    let liked = try store.dog(2)
    try store.write { transaction in
      try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 2)).age = 10
      for dog in results { dog.age += 1 }
      held.friends[0].age += 1
      held.friends.first?.name = "friend"
      for dog in liked.likedBy { dog.name = "lover" }
      #expect(results.map(\.age) == [2, 12])
      #expect(results.count == 2 && results.first?.name == "lover")
      #expect(results.where { $0.name == "friend" }.count == 1)
    }
    #expect(results.map(\.age) == [2, 12] && results.map(\.name) == ["lover", "friend"])
  }

  @Test("an object that was deleted meanwhile fails the write", arguments: TypedPlace.allCases)
  func gone(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a", age: 1), JoiningDog(2))
    let (dog, other) = (try store.dog(1), try store.dog(2))
    try store.deleteAndWait(entity: try store.dog(1))
    let error = try typedError {
      try store.store().write {
        other.name = "not stored"
        dog.age = 5
      }
    }
    #expect(error.code == .objectNotFound && error.type == "JoiningDog" && error.key == "1")
    #expect(error.store == "model")
    #expect(dog.age == 1 && other.name == "")
    #expect(try store.dog(2).name == "" && store.store().objects(JoiningDog.self).count == 1)
    let inWrite = try typedError {
      try store.write { transaction in
        try transaction.delete(
          try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 2))
        )
        other.age = 1
      }
    }
    #expect(inWrite.code == .objectNotFound && inWrite.key == "2")
    #expect(try store.dog(2).age == 0)
  }

  @Test("an object of another store fails the write", arguments: TypedPlace.allCases)
  func foreign(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    let other = try Joining.store(place, with: JoiningDog(1, "b"))
    let dog = try other.dog(1)
    let error = try typedError { try store.write { _ in dog.name = "c" } }
    #expect(error.code == .foreignObject && error.type == "JoiningDog")
    #expect(dog.name == "b")
    #expect(try store.dog(1).name == "a" && other.dog(1).name == "b")
    // A detached copy belongs to nothing.
    let copy = dog.detached()
    try store.write { _ in copy.name = "d" }
    #expect(try store.dog(1).name == "a")
  }

  @Test("the primary key stays", arguments: TypedPlace.allCases)
  func primaryKey(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    let dog = try store.dog(1)
    #expect(try typedError { try store.write { _ in dog.id = 2 } }.code == .invalidValue)
    #expect(dog.id == 1)
    // A copy to which another key was assigned before is another object.
    dog.id = 3
    try store.write { transaction in
      dog.chip = "new"
      try transaction.add(dog)
    }
    #expect(try store.dog(3).chip == "new" && store.dog(1).chip == "chip 1")
  }

  @Test("objects of a read { } that goes on stay as they are", arguments: TypedPlace.allCases)
  func snapshots(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    var kept: JoiningDog?
    try store.read { snapshot in
      let dog = try #require(try snapshot.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      let error = try typedError { try store.write { _ in dog.name = "b" } }
      #expect(error.code == .invalidValue && dog.name == "a")
      kept = dog
    }
    let dog = try #require(kept)
    try store.write { _ in dog.name = "c" }
    #expect(try store.dog(1).name == "c")
  }

  @Test("what another thread assigns meanwhile is its own", arguments: TypedPlace.allCases)
  func otherThread(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.age = 3
      let done = DispatchSemaphore(value: 0)
      let handle = store.store()
      Thread {
        let copy = handle.object(ofType: JoiningDog.self, forPrimaryKey: 1)
        copy?.name = "copy"
        copy?.marks.append(1)
        done.signal()
      }.start()
      done.wait()
    }
    let found = try store.dog(1)
    #expect(found.name == "a" && found.age == 3 && found.marks.isEmpty)
  }

  @Test("an object of a handle that was closed since joins", arguments: [TypedPlace.disk])
  func reopened(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    let dog = try store.dog(1)
    store.reopen()
    try store.write { _ in dog.name = "b" }
    #expect(try store.dog(1).name == "b")
  }

  @Test("two stores at once", arguments: TypedPlace.allCases)
  func joint(place: TypedPlace) throws {
    let first = try Joining.store(place, with: JoiningDog(1, "a"))
    let second = try Joining.store(place, with: JoiningDog(1, "b"))
    let third = try Joining.store(place, with: JoiningDog(1, "c"))
    let dogs = [try first.dog(1), try second.dog(1)]
    let foreign = try third.dog(1)
    let manager = StoreManager(repositories: [first, second])
    try manager.write(to: first, and: second) { _, _ in
      for dog in dogs {
        dog.name += "!"
        dog.marks.append(1)
      }
    }
    #expect(try first.dog(1).name == "a!" && second.dog(1).name == "b!")
    #expect(try first.dog(1).marks.map { $0 } == [1])
    let error = try typedError {
      try manager.write(to: first, and: second) { _, _ in
        dogs[0].name = "x"
        foreign.name = "y"
      }
    }
    #expect(error.code == .foreignObject)
    #expect(dogs[0].name == "a!" && foreign.name == "c")
    #expect(try first.dog(1).name == "a!")
  }

  @Test("further instances of one object show the same", arguments: TypedPlace.allCases)
  func instances(place: TypedPlace) throws {
    let friend = JoiningDog(2)
    let dog = JoiningDog(1, "a", age: 1)
    dog.friends.append(friend)
    dog.home = JoiningHome("s", 1)
    let store = try Joining.store(place, with: dog, friend)
    let (one, two) = (try store.dog(1), try store.dog(1))
    let (oneHome, twoMarks) = (try #require(one.home), two.marks)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      let marks = live.marks
      live.age = 2
      one.age += 10
      #expect(live.age == 12)
      one.name = "b"
      two.note = "n"
      two.marks.append(1)
      live.marks.append(2)
      one.marks.append(3)
      oneHome.number = 5
      #expect(live.name == "b" && two.name == "b" && one.note == "n" && live.note == "n")
      #expect(marks.map { $0 } == [1, 2, 3] && twoMarks.map { $0 } == [1, 2, 3])
      #expect(live.home?.number == 5 && two.home?.number == 5)
      live.home?.street = "t"
      #expect(oneHome.street == "t")
      try transaction.delete(try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 2)))
      #expect(one.friends.isEmpty && two.friends.isEmpty && live.friends.isEmpty)
      two.age = 20
    }
    let found = try store.dog(1)
    #expect(found.name == "b" && found.note == "n" && found.age == 20 && found.marks.count == 3)
    #expect(found.home?.number == 5 && found.home?.street == "t" && found.friends.isEmpty)
  }

  @Test("indexes, unique values, derived properties and inverses count", arguments: TypedPlace.allCases)
  func rules(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1), JoiningDog(2))
    let person = JoiningPerson("p")
    try store.put(person)
    let (first, second) = (try store.dog(1), try store.dog(2))
    try store.write { _ in
      first.owner = person
      first.name = "indexed"
      #expect(person.dogs.count == 1)
    }
    #expect(store.store().objects(JoiningPerson.self).first?.dogsCount == 1)
    #expect(store.store().objects(JoiningDog.self).where { $0.name == "indexed" }.map(\.id) == [1])
    let error = try typedError { try store.write { _ in second.chip = "chip 1" } }
    #expect(error.code == .duplicateValue && second.chip == "chip 2")
    try store.write { _ in
      second.owner = person
      first.owner = nil
    }
    #expect(store.store().objects(JoiningPerson.self).first?.dogs.map(\.id) == [2])
  }

  @Test("encodable objects", arguments: TypedPlace.allCases)
  func encodable(place: TypedPlace) throws {
    let store = try Joining.store(place)
    try store.put(JoiningNote(value: ["id": 1, "words": ["a"], "next": ["id": 2, "text": "next"]]))
    let (note, other) = (try store.get(JoiningNote.self, 1), try store.get(JoiningNote.self, 1))
    other.words.append("b")
    other.next?.text = "changed"
    try store.put(other)
    try store.write { _ in note.text = "t" }
    let copy = try JSONDecoder().decode(JoiningNote.self, from: try JSONEncoder().encode(note))
    #expect(copy.text == "t" && Array(copy.words) == ["a", "b"] && copy.next?.text == "changed")
    try store.write { _ in note.words.append("c") }
    #expect(try Array(store.get(JoiningNote.self, 1).words) == ["a", "b", "c"])
  }

  @Test(
    "instances that link each other in a circle end with one of the links",
    arguments: TypedPlace.allCases
  )
  func circles(place: TypedPlace) throws {
    let store = try Joining.store(place)
    weak var first: JoiningNote?
    func add() throws {
      let (one, two) = (JoiningNote(value: ["id": 1]), JoiningNote(value: ["id": 2]))
      one.next = two
      two.next = one
      try store.write { try $0.add(one) }
      first = one
      one.next = nil
    }
    try add()
    #expect(first == nil)
    #expect(try store.get(JoiningNote.self, 1).next?.next?.id == 1)
  }

  @Test("outside of writes objects stay copies", arguments: TypedPlace.allCases)
  func outside(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"))
    let dog = try store.dog(1)
    dog.name = "b"
    dog.marks.append(1)
    #expect(try store.dog(1).name == "a" && store.dog(1).marks.isEmpty)
    try store.put(dog)
    #expect(try store.dog(1).name == "b" && store.dog(1).marks.count == 1)
  }
}
