import Fief
import Foundation
import Testing

@Suite("Saving copies and duplicates")
struct SavingCopiesTests {
  private func pets(_ place: ModelPlace) throws -> ModelStore {
    try ModelStore(place, ModelPet.types, embedded: ModelPet.embedded)
  }

  @Test("the same object changed in two copies keeps both changes", arguments: ModelPlace.allCases)
  func modifiedCopies(place: ModelPlace) throws {
    let store = try pets(place)
    try store.put(
      ModelPet(value: ["id": 1, "name": "a", "age": 1, "toys": [["name": "x"]], "collar": ["color": "c"]])
    )
    let first = try store.get(ModelPet.self, 1)
    let second = try store.get(ModelPet.self, 1)
    let third = try store.get(ModelPet.self, 1)
    let fourth = try store.get(ModelPet.self, 1)
    first.name = "b"
    second.age = 2
    third.toys.append(ModelToy(value: ["name": "y"]))
    fourth.collar?.color = "d"
    for copy in [first, second, third, fourth] { try store.put(copy, update: .modified) }
    store.reopen()
    let found = try store.get(ModelPet.self, 1)
    #expect(found.name == "b" && found.age == 2 && found.toys.map(\.name) == ["x", "y"])
    #expect(found.collar?.color == "d")
    // By `.all` the copy is the whole object.
    second.age = 5
    try store.put(second)
    let replaced = try store.get(ModelPet.self, 1)
    #expect(replaced.name == "a" && replaced.age == 5 && replaced.toys.map(\.name) == ["x"])
  }

  @Test("a new object saved by .modified writes what was assigned", arguments: ModelPlace.allCases)
  func modifiedNew(place: ModelPlace) throws {
    let store = try pets(place)
    try store.put(ModelPet(value: ["id": 1, "name": "a", "age": 1]))
    let partial = ModelPet()
    partial.id = 1
    partial.age = nil
    try store.put(partial, update: .modified)
    let found = try store.get(ModelPet.self, 1)
    #expect(found.name == "a" && found.age == nil)
    let absent = ModelPet()
    absent.id = 2
    try store.put(absent, update: .modified)
    #expect(try store.get(ModelPet.self, 2).name == "")
  }

  @Test("a duplicate changes nothing, whatever comes with it", arguments: ModelPlace.allCases)
  func duplicates(place: ModelPlace) throws {
    let store = try pets(place)
    try store.put(ModelPet(value: ["id": 1, "name": "a", "toys": [["name": "x"]]]), update: .error)
    let error = try modelError {
      try store.put([ModelPet(value: ["id": 2]), ModelPet(value: ["id": 1, "name": "b"])], update: .error)
    }
    #expect(error.code == .duplicatePrimaryKey && error.type == "ModelPet" && error.key == "1")
    let nested = try modelError {
      try store.put(ModelPet(value: ["id": 3, "toys": [["name": "n"], ["name": "x"]]]), update: .error)
    }
    #expect(nested.code == .duplicatePrimaryKey && nested.type == "ModelToy" && nested.key == "x")
    store.reopen()
    #expect(try store.count(ModelPet.self) == 1)
    #expect(try store.count(ModelToy.self) == 1)
    #expect(try store.get(ModelPet.self, 1).name == "a")
    #expect(try store.get(ModelToy.self, "x").owners.map(\.id) == [1])
  }

  @Test("an object of another store is refused, a detached copy is not", arguments: ModelPlace.allCases)
  func foreign(place: ModelPlace) throws {
    let store = try pets(place)
    let other = try pets(place)
    try other.put(ModelPet(value: ["id": 1, "friend": ["id": 2]]))
    let found = try other.get(ModelPet.self, 1)
    #expect(try modelError { try store.put(found) }.code == .foreignObject)
    let linking = ModelPet(value: ["id": 3])
    linking.friend = found
    #expect(try modelError { try store.put(linking) }.code == .foreignObject)
    #expect(try store.count(ModelPet.self) == 0)
    try store.put(found.detached())
    #expect(try store.get(ModelPet.self, 1).friend?.id == 2)
    var outcome: Result<Bool, any Error>?
    store.delete(entity: found) { outcome = $0 }
    #expect(try modelError { _ = try #require(outcome).get() }.code == .foreignObject)
    #expect(try store.count(ModelPet.self) == 2)
  }

  @Test("embedded objects are part of their owner", arguments: ModelPlace.allCases)
  func embedded(place: ModelPlace) throws {
    let store = try pets(place)
    let pet = ModelPet(value: ["id": 1, "collars": [["color": "a"], ["color": "b"]]])
    pet.collar = ModelCollar(value: ["color": "c", "maker": ["name": "maker"]])
    pet.collarMap["k"] = .some(ModelCollar())
    try store.put(pet)
    store.reopen()
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: ModelPet.self, forPrimaryKey: 1))
      live.collar?.tag = ModelTag(value: ["text": "t"])
      live.collar?.tag?.lines.append("line")
      live.collars[1]?.color = "B"
      live.collarMap["k"]??.color = "K"
    }
    let found = try store.get(ModelPet.self, 1)
    #expect(found.collar?.tag?.lines.map { $0 } == ["line"] && found.collar?.maker?.name == "maker")
    #expect(found.collars.map(\.color) == ["a", "B"] && found.collarMap["k"]??.color == "K")
    found.collar = nil
    found.collars.remove(at: 0)
    try store.put(found)
    let again = try store.get(ModelPet.self, 1)
    #expect(again.collar == nil && again.collars.map(\.color) == ["B"])
  }

  @Test("an embedded object with two owners is refused", arguments: ModelPlace.allCases)
  func twoOwners(place: ModelPlace) throws {
    let store = try pets(place)
    let pets = (1...2).map { ModelPet(value: ["id": $0]) }
    let collar = ModelCollar()
    pets[0].collar = collar
    pets[1].collar = collar
    #expect(try modelError { try store.put(pets) }.code == .embeddedObjectHasOwner)
    for pet in pets { #expect(try modelError { try store.put(pet) }.code == .embeddedObjectHasOwner) }
    #expect(try store.count(ModelPet.self) == 0)
    pets[1].collar = nil
    pets[0].collars.append(collar)
    #expect(try modelError { try store.put(pets[0]) }.code == .embeddedObjectHasOwner)
    pets[0].collar = nil
    try store.put(pets)
    // Saved with one owner, then given to another as well.
    pets[1].collars.append(collar)
    #expect(try modelError { try store.put(pets[1]) }.code == .embeddedObjectHasOwner)
    pets[0].collars.removeAll()
    try store.put(pets)
    #expect(try store.get(ModelPet.self, 1).collars.isEmpty)
    #expect(try store.get(ModelPet.self, 2).collars.count == 1)
  }
}
