import Fief
import Foundation
import Testing

@Suite("Saving copies and duplicates")
struct SavingCopiesTests {
  private func pets(_ place: TypedPlace) throws -> TypedStore {
    try TypedStore(place, TypedPet.types, embedded: TypedPet.embedded)
  }

  @Test("the same object changed in two copies keeps both changes", arguments: TypedPlace.allCases)
  func modifiedCopies(place: TypedPlace) throws {
    let store = try pets(place)
    try store.put(
      TypedPet(value: ["id": 1, "name": "a", "age": 1, "toys": [["name": "x"]], "collar": ["color": "c"]])
    )
    let first = try store.get(TypedPet.self, 1)
    let second = try store.get(TypedPet.self, 1)
    let third = try store.get(TypedPet.self, 1)
    let fourth = try store.get(TypedPet.self, 1)
    first.name = "b"
    second.age = 2
    third.toys.append(TypedToy(value: ["name": "y"]))
    fourth.collar?.color = "d"
    for copy in [first, second, third, fourth] { try store.put(copy, update: .modified) }
    store.reopen()
    let found = try store.get(TypedPet.self, 1)
    #expect(found.name == "b" && found.age == 2 && found.toys.map(\.name) == ["x", "y"])
    #expect(found.collar?.color == "d")
    // The copy replaces the whole object with `.all`.
    second.age = 5
    try store.put(second)
    let replaced = try store.get(TypedPet.self, 1)
    #expect(replaced.name == "a" && replaced.age == 5 && replaced.toys.map(\.name) == ["x"])
  }

  @Test("a new object saved by .assigned writes what was assigned", arguments: TypedPlace.allCases)
  func assignedNew(place: TypedPlace) throws {
    let store = try pets(place)
    try store.put(TypedPet(value: ["id": 1, "name": "a", "age": 1]))
    let partial = TypedPet()
    partial.id = 1
    partial.age = nil
    try store.put(partial, update: .assigned)
    let found = try store.get(TypedPet.self, 1)
    #expect(found.name == "a" && found.age == nil)
    let absent = TypedPet()
    absent.id = 2
    try store.put(absent, update: .assigned)
    #expect(try store.get(TypedPet.self, 2).name == "")
  }

  @Test("a new object saved by .modified writes every value", arguments: TypedPlace.allCases)
  func modifiedNew(place: TypedPlace) throws {
    let store = try pets(place)
    try store.put(TypedPet(value: ["id": 1, "name": "a", "age": 1]))
    let partial = TypedPet()
    partial.id = 1
    try store.put(partial, update: .modified)
    let found = try store.get(TypedPet.self, 1)
    #expect(found.name == TypedPet().name && found.age == TypedPet().age)
    // A copy that was read has what was assigned, and older values.
    let copy = try store.get(TypedPet.self, 1)
    try store.put(TypedPet(value: ["id": 1, "name": "b", "age": 2]))
    copy.age = 3
    try store.put(copy, update: .modified)
    let changed = try store.get(TypedPet.self, 1)
    #expect(changed.name == "b" && changed.age == 3)
  }

  @Test("a duplicate changes nothing, whatever comes with it", arguments: TypedPlace.allCases)
  func duplicates(place: TypedPlace) throws {
    let store = try pets(place)
    try store.put(TypedPet(value: ["id": 1, "name": "a", "toys": [["name": "x"]]]), update: .error)
    let error = try typedError {
      try store.put([TypedPet(value: ["id": 2]), TypedPet(value: ["id": 1, "name": "b"])], update: .error)
    }
    #expect(error.code == .duplicatePrimaryKey && error.type == "TypedPet" && error.key == "1")
    let nested = try typedError {
      try store.put(TypedPet(value: ["id": 3, "toys": [["name": "n"], ["name": "x"]]]), update: .error)
    }
    #expect(nested.code == .duplicatePrimaryKey && nested.type == "TypedToy" && nested.key == "x")
    store.reopen()
    #expect(try store.count(TypedPet.self) == 1)
    #expect(try store.count(TypedToy.self) == 1)
    #expect(try store.get(TypedPet.self, 1).name == "a")
    #expect(try store.get(TypedToy.self, "x").owners.map(\.id) == [1])
  }

  @Test("an object of another store is refused, a detached copy is not", arguments: TypedPlace.allCases)
  func foreign(place: TypedPlace) throws {
    let store = try pets(place)
    let other = try pets(place)
    try other.put(TypedPet(value: ["id": 1, "friend": ["id": 2]]))
    let found = try other.get(TypedPet.self, 1)
    #expect(try typedError { try store.put(found) }.code == .foreignObject)
    let linking = TypedPet(value: ["id": 3])
    linking.friend = found
    #expect(try typedError { try store.put(linking) }.code == .foreignObject)
    #expect(try store.count(TypedPet.self) == 0)
    try store.put(found.detached())
    #expect(try store.get(TypedPet.self, 1).friend?.id == 2)
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try store.deleteAndWait(entity: found)
      return true
    }
    #expect(try typedError { _ = try #require(outcome).get() }.code == .foreignObject)
    #expect(try store.count(TypedPet.self) == 2)
  }

  @Test("embedded objects are part of their owner", arguments: TypedPlace.allCases)
  func embedded(place: TypedPlace) throws {
    let store = try pets(place)
    let pet = TypedPet(value: ["id": 1, "collars": [["color": "a"], ["color": "b"]]])
    pet.collar = TypedCollar(value: ["color": "c", "maker": ["name": "maker"]])
    pet.collarMap["k"] = .some(TypedCollar())
    try store.put(pet)
    store.reopen()
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: TypedPet.self, forPrimaryKey: 1))
      live.collar?.tag = TypedTag(value: ["text": "t"])
      live.collar?.tag?.lines.append("line")
      live.collars[1].color = "B"
      live.collarMap["k"]??.color = "K"
    }
    let found = try store.get(TypedPet.self, 1)
    #expect(found.collar?.tag?.lines.map { $0 } == ["line"] && found.collar?.maker?.name == "maker")
    #expect(found.collars.map(\.color) == ["a", "B"] && found.collarMap["k"]??.color == "K")
    found.collar = nil
    found.collars.remove(at: 0)
    try store.put(found)
    let again = try store.get(TypedPet.self, 1)
    #expect(again.collar == nil && again.collars.map(\.color) == ["B"])
  }

  @Test("an embedded object with two owners is refused", arguments: TypedPlace.allCases)
  func twoOwners(place: TypedPlace) throws {
    let store = try pets(place)
    let pets = (1...2).map { TypedPet(value: ["id": $0]) }
    let collar = TypedCollar()
    pets[0].collar = collar
    pets[1].collar = collar
    #expect(try typedError { try store.put(pets) }.code == .embeddedObjectHasOwner)
    for pet in pets { #expect(try typedError { try store.put(pet) }.code == .embeddedObjectHasOwner) }
    #expect(try store.count(TypedPet.self) == 0)
    pets[1].collar = nil
    pets[0].collars.append(collar)
    #expect(try typedError { try store.put(pets[0]) }.code == .embeddedObjectHasOwner)
    pets[0].collar = nil
    try store.put(pets)
    // Saved with one owner, then given to another as well.
    pets[1].collars.append(collar)
    #expect(try typedError { try store.put(pets[1]) }.code == .embeddedObjectHasOwner)
    pets[0].collars.removeAll()
    try store.put(pets)
    #expect(try store.get(TypedPet.self, 1).collars.isEmpty)
    #expect(try store.get(TypedPet.self, 2).collars.count == 1)
  }
}
