import Fief
import Foundation
import Testing

/// Values that were assigned to a copy outside of writes, and not saved.
@Suite("Unsaved assignments of objects that join a write")
struct HeldDraftTests {
  @Test("are not written, and are there again afterwards", arguments: TypedPlace.allCases, [true, false])
  func kept(place: TypedPlace, commits: Bool) throws {
    let stored = JoiningDog(1, "stored", age: 1)
    stored.home = JoiningHome("stored", 1)
    stored.marks.append(1)
    let store = try Joining.store(place, with: stored, JoiningDog(2))
    let dog = try store.dog(1)
    dog.name = "draft"
    dog.marks.append(2)
    dog.home?.street = "draft"
    dog.friends.append(try store.dog(2))
    try? store.write { _ in
      dog.age = 5
      dog.home?.number = 6
      #expect(dog.name == "stored" && dog.marks.map { $0 } == [1] && dog.friends.isEmpty)
      #expect(dog.home?.street == "stored")
      if !commits { throw Joining.Refused() }
    }
    #expect(dog.name == "draft" && dog.marks.map { $0 } == [1, 2] && dog.home?.street == "draft")
    #expect(dog.friends.map(\.id) == [2])
    #expect(dog.age == (commits ? 5 : 1) && dog.home?.number == (commits ? 6 : 1))
    let found = try store.dog(1)
    #expect(found.name == "stored" && found.marks.map { $0 } == [1] && found.friends.isEmpty)
    #expect(found.home?.street == "stored" && found.home?.number == (commits ? 6 : 1))
    try store.put(dog, update: .modified)
    let saved = try store.dog(1)
    #expect(saved.name == "draft" && saved.marks.map { $0 } == [1, 2] && saved.home?.street == "draft")
    #expect(saved.friends.map(\.id) == [2] && saved.age == (commits ? 5 : 1))
  }

  @Test("give way to what the write assigns", arguments: TypedPlace.allCases)
  func overwritten(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "stored"))
    let dog = try store.dog(1)
    dog.name = "draft"
    dog.note = "draft"
    dog.marks.append(1)
    try store.write { _ in
      dog.name = "written"
      // The list of the caller has the stored elements.
      dog.marks.append(2)
    }
    #expect(dog.name == "written" && dog.note == "draft")
    let found = try store.dog(1)
    #expect(found.name == "written" && found.note == nil && found.marks.map { $0 } == [1, 2])
  }

  @Test(
    "a collection with unsaved changes is written as it is when it is what changes",
    arguments: TypedPlace.allCases
  )
  func collections(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1))
    let dog = try store.dog(1)
    dog.marks.append(1)
    dog.home = JoiningHome("new")
    try store.write { _ in
      dog.marks.append(2)
      #expect(dog.marks.map { $0 } == [1, 2] && dog.home == nil)
    }
    #expect(dog.home?.street == "new")
    let found = try store.dog(1)
    #expect(found.marks.map { $0 } == [1, 2] && found.home == nil)
  }

  @Test("are written when the object is added", arguments: TypedPlace.allCases)
  func added(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "stored", age: 1))
    for update in [UpdatePolicy.all, .modified] {
      let dog = try store.dog(1)
      dog.name = "draft \(update)"
      dog.marks.append(1)
      try store.write { transaction in
        dog.age += 1
        try transaction.add(dog, update: update)
        #expect(dog.name == "draft \(update)")
      }
      #expect(dog.name == "draft \(update)")
      #expect(try store.dog(1).name == "draft \(update)")
    }
    #expect(try store.dog(1).age == 3 && store.dog(1).marks.count == 2)
  }
}
