import Fief
import Foundation
import Testing

/// `add(_:)` of several objects adds all of them or none.
@Suite("Objects that are added together")
struct AddingSequenceTests {
  /// An object that no save accepts.
  private func unusable() -> JoiningDog { JoiningDog(value: ["id": 99, "colour": "red"]) }

  @Test("a failure leaves new objects as they were", arguments: TypedPlace.allCases, [true, false])
  func newObjects(place: TypedPlace, isLast: Bool) throws {
    let store = try Joining.store(place, with: JoiningDog(1))
    let (dog, person) = (JoiningDog(2), JoiningPerson("a"))
    dog.owner = person
    dog.home = JoiningHome("x")
    dog.friends.append(JoiningDog(3))
    try store.write { transaction in
      let error = try typedError {
        try transaction.add(isLast ? [dog, unusable()] : [unusable(), dog])
      }
      #expect(error.code == .unknownProperty)
      #expect(transaction.objects(JoiningDog.self).map(\.id) == [1])
      // A change of an object that is not the store's is not written.
      dog.age = 7
      dog.home?.street = "y"
    }
    #expect(store.store().objects(JoiningDog.self).map(\.id) == [1])
    #expect(store.store().objects(JoiningPerson.self).isEmpty)
    dog.name = "later"
    try store.write { try $0.add([dog]) }
    let found = try store.dog(2)
    #expect(found.name == "later" && found.age == 7 && found.home?.street == "y")
    #expect(found.owner?.name == "a" && found.friends.map(\.id) == [3])
    #expect(store.store().objects(JoiningPerson.self).count == 1)
  }

  @Test(
    "a failure leaves unsaved assignments of held objects unsaved",
    arguments: TypedPlace.allCases,
    [true, false]
  )
  func drafts(place: TypedPlace, isLast: Bool) throws {
    let store = try Joining.store(place, with: JoiningDog(1), JoiningDog(2))
    let dog = try store.dog(1)
    dog.age = 5
    dog.marks.append(8)
    try store.write { transaction in
      dog.name = "joined"
      #expect(dog.age == 0 && dog.marks.isEmpty)
      let objects = isLast ? [dog, unusable()] : [unusable(), dog]
      #expect(throws: FiefError.self) { try transaction.add(objects, update: .all) }
      #expect(dog.age == 0 && dog.marks.isEmpty && dog.name == "joined")
      #expect(transaction.objects(JoiningDog.self).filter("age == 5").isEmpty)
    }
    let found = try store.dog(1)
    #expect(found.age == 0 && found.name == "joined" && found.marks.isEmpty)
    // The assignments wait, as before the write.
    #expect(dog.age == 5 && Array(dog.marks) == [8])
    try store.write { transaction in
      dog.name = "again"
      try transaction.add([dog, JoiningDog(3)], update: .all)
    }
    let saved = try store.dog(1)
    #expect(saved.age == 5 && Array(saved.marks) == [8] && saved.name == "again")
    #expect(store.store().objects(JoiningDog.self).count == 3)
  }

  @Test(
    "unsaved links may lead to a deleted object of the call, in any order",
    arguments: TypedPlace.allCases
  )
  func draftOfLink(place: TypedPlace) throws {
    for isFirst in [true, false] {
      let store = try Joining.store(place, with: JoiningDog(1), JoiningDog(2))
      let (dog, friend) = (try store.dog(1), try store.dog(2))
      dog.friends.append(friend)
      try store.deleteAndWait(ofType: JoiningDog.self, forPrimaryKeys: [2])
      try store.write { transaction in
        dog.name = "joined"
        try transaction.add(isFirst ? [dog, friend] : [friend, dog], update: .all)
      }
      #expect(try store.dog(1).friends.map(\.id) == [2])
    }
  }
}
