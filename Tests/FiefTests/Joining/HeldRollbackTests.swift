import Fief
import Foundation
import Testing

@Suite("Objects that joined a write that failed")
struct HeldRollbackTests {
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let dog = JoiningDog(1, "a", age: 1)
    dog.friends.append(JoiningDog(2, "friend"))
    dog.tags.insert("t")
    dog.marks.append(objectsIn: [1, 2])
    dog.prices["p"] = 1
    dog.home = JoiningHome("s", 1)
    dog.home?.keys.append("k")
    dog.home?.door = JoiningDoor()
    dog.places.append(objectsIn: [JoiningHome("x"), JoiningHome("y")])
    dog.rooms["r"] = .some(JoiningHome("z"))
    return try Joining.store(place, with: dog)
  }

  private func texts(_ dog: JoiningDog) -> [String] {
    [
      "\(dog.name) \(dog.age) \(dog.note ?? "nil") \(dog.owner?.name ?? "nil")",
      "\(dog.friends.map(\.id)) \(dog.tags.sorted()) \(Array(dog.marks)) \(dog.prices.dictionary)",
      "\(dog.home?.street ?? "nil") \(dog.home?.number ?? -1) \(dog.home?.door?.color ?? "nil")",
      "\(dog.home.map { Array($0.keys) } ?? [])",
      "\(dog.places.map(\.street)) \(dog.rooms.map { "\($0.key) \($0.value?.street ?? "nil")" })",
    ]
  }

  private func change(_ dog: JoiningDog) {
    dog.name = "changed"
    dog.age += 1
    dog.note = "n"
    dog.owner = JoiningPerson("new")
    dog.friends.removeAll()
    dog.tags.insert("u")
    dog.marks.append(3)
    dog.prices["p"] = nil
    dog.home?.street = "changed"
    dog.home?.door?.color = "changed"
    dog.home?.keys.append("changed")
    dog.places[0].street = "changed"
    dog.places.append(JoiningHome("added"))
    dog.rooms["r"]??.street = "changed"
  }

  @Test("show what they did before", arguments: TypedPlace.allCases, [true, false])
  func values(place: TypedPlace, areRead: Bool) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let before = texts(try store.dog(1))
    if areRead { _ = texts(dog) }
    #expect(throws: Joining.Refused.self) {
      try store.write { transaction in
        change(dog)
        _ = try transaction.count(JoiningDog.self)
        change(dog)
        throw Joining.Refused()
      }
    }
    #expect(texts(dog) == before)
    #expect(texts(try store.dog(1)) == before)
    try store.write { _ in change(dog) }
    let after = texts(dog)
    #expect(after != before)
    #expect(texts(try store.dog(1)) == after)
  }

  @Test(
    "show what they did before if the write had failed before it changed them",
    arguments: TypedPlace.allCases,
    [true, false]
  )
  func changesAfterTheFailure(place: TypedPlace, areRead: Bool) throws {
    let store = try filled(place)
    let (dog, friends) = (try store.dog(1), try store.dog(1).friends)
    let frozen = try store.dog(1).freeze()
    let before = texts(try store.dog(1))
    if areRead { _ = texts(dog) }
    for _ in 0..<2 {
      let error = try typedError {
        try store.write { _ in
          // This fails the write, and its closure goes on.
          frozen.name = "refused"
          for _ in 0..<3 {
            change(dog)
            friends.append(dog)
          }
        }
      }
      #expect(error.code == .invalidValue)
      #expect(texts(dog) == before)
      #expect(friends.map(\.id) == [2] && friends.where { $0.id > 1 }.count == 1)
    }
    #expect(try texts(frozen) == before && texts(store.dog(1)) == before)
    try store.write { _ in change(dog) }
    #expect(try texts(store.dog(1)) == texts(dog) && texts(dog) != before)
  }

  @Test("parts whose objects nothing holds", arguments: TypedPlace.allCases)
  func lostParts(place: TypedPlace) throws {
    let store = try filled(place)
    let home = try #require(try store.dog(1).home)
    let frozen = try store.dog(1).freeze().friends
    let (inHome, inElement) = (home.keys, try #require(try store.dog(1).places.first).keys)
    func code(_ change: () -> Void) throws -> FiefError.Code {
      try typedError { try store.write { _ in change() } }.code
    }
    #expect(try code { home.street = "changed" } == .objectNotFound && home.street == "s")
    #expect(try code { inHome.append("l") } == .objectNotFound && Array(inHome) == ["k"])
    #expect(try code { inElement.append("l") } == .objectNotFound && Array(inElement) == [])
    // The collection of a frozen object does not join the write, although the store has its object.
    #expect(try code { frozen.append(JoiningDog(3)) } == .invalidValue && frozen.map(\.id) == [2])
    #expect(try store.dog(1).friends.map(\.id) == [2] && store.dog(1).home?.street == "s")
  }

  @Test("keep the parts that others hold", arguments: TypedPlace.allCases)
  func parts(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let (home, marks, door) = (try #require(dog.home), dog.marks, try #require(dog.home?.door))
    let (part, room) = (dog.places[1], try #require(dog.rooms["r"] ?? nil))
    try? store.write { _ in
      home.street = "b"
      marks.append(3)
      dog.home = nil
      dog.marks = List([9])
      throw Joining.Refused()
    }
    #expect(dog.home === home && home.street == "s" && dog.marks === marks && Array(marks) == [1, 2])
    try store.write { _ in
      home.street = "b"
      marks.append(3)
      door.color = "green"
      part.street = "part"
      room.street = "room"
      home.keys.append("l")
    }
    let found = try store.dog(1)
    #expect(
      found.home?.street == "b" && found.home?.door?.color == "green" && Array(found.marks) == [1, 2, 3]
    )
    #expect(found.places.map(\.street) == ["x", "part"] && found.rooms["r"]??.street == "room")
    #expect(found.home.map { Array($0.keys) } == ["k", "l"])
    #expect(dog.home === home && dog.places[1] === part)
  }

  @Test("a write that runs again because the store grows counts once", arguments: TypedPlace.allCases)
  func growth(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let owned = try store.dog(2)
    _ = owned.name
    var runs = 0
    var kept: JoiningDog?
    for round in 0..<6 where runs < 2 + round {
      try store.write { transaction in
        runs += 1
        dog.age += 1
        dog.marks.append(3)
        dog.friends[0].age += 1
        if kept == nil { kept = try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 2) }
        kept?.name += "!"
        for id in 0..<40 {
          try transaction.add(JoiningDog(1000 * (round + 1) + id, String(repeating: "x", count: 65_536)))
        }
      }
      let found = try store.dog(1)
      #expect(found.age == 2 + round && found.marks.count == 3 + round && dog.age == 2 + round)
      #expect(try store.dog(2).age == 1 + round)
      #expect(try store.dog(2).name == "friend" + String(repeating: "!", count: 1 + round))
    }
    #expect(runs > 1)
  }

  @Test(
    "have their collections, around the size at which a collection leaves its record",
    arguments: TypedPlace.allCases,
    [true, false]
  )
  func collectionsOfAnySize(place: TypedPlace, areRead: Bool) throws {
    let store = try Joining.store(place)
    for size in stride(from: 3_900, through: 4_100, by: 8) {
      let stored = JoiningDog(1, "a")
      stored.marks.append(objectsIn: 0..<size / 8)
      stored.tags.insert(objectsIn: (0..<size / 20).map { "a tag of \(1_000_000 + $0)" })
      stored.prices["p"] = size
      try store.put([stored], update: .all)
      let (dog, deleted) = (try store.dog(1), try store.dog(1))
      let before = texts(try store.dog(1))
      if areRead { #expect(texts(dog) == before && texts(deleted) == before) }
      for round in 0..<2 {
        try? store.write { transaction in
          dog.marks.append(objectsIn: [1, 2])
          dog.tags.insert("another tag")
          _ = try transaction.count(JoiningDog.self)
          dog.marks.removeAll()
          dog.tags.remove("another tag")
          dog.prices["q"] = 1
          if round > 0 { try transaction.delete(deleted) }
          throw Joining.Refused()
        }
        #expect(texts(dog) == before && texts(deleted) == before, "\(size)")
      }
      try store.write { _ in dog.marks.append(7) }
      #expect(dog.marks.count == size / 8 + 1 && dog.tags.count == size / 20, "\(size)")
      #expect(try store.dog(1).marks.count == size / 8 + 1, "\(size)")
    }
  }

  @Test("after a rollback, instances from the write show the stored values", arguments: TypedPlace.allCases)
  func live(place: TypedPlace) throws {
    let store = try filled(place)
    var kept: JoiningDog?
    try? store.write { transaction in
      kept = try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1)
      kept?.name = "b"
      kept?.marks.append(5)
      throw Joining.Refused()
    }
    let dog = try #require(kept)
    #expect(dog.name == "a" && Array(dog.marks) == [1, 2])
    try store.write { _ in dog.name += "c" }
    #expect(try store.dog(1).name == "ac" && store.dog(1).marks.count == 2)
  }
}
