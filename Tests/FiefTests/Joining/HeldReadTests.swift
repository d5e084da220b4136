import Fief
import Foundation
import TestEffort
import Testing

@Suite("Objects held across writes, read in a write")
struct HeldReadTests {
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let dog = JoiningDog(1, "a", age: 1)
    dog.friends.append(objectsIn: [JoiningDog(2), JoiningDog(3)])
    dog.tags.insert("t")
    dog.marks.append(objectsIn: [1, 2])
    dog.prices["p"] = 1
    dog.owner = JoiningPerson("owner")
    dog.home = JoiningHome("s", 1)
    dog.home?.keys.append("k")
    dog.places.append(objectsIn: [JoiningHome("x"), JoiningHome("y")])
    dog.rooms["r"] = .some(JoiningHome("z"))
    return try Joining.store(place, with: dog, JoiningDog(4))
  }

  /// Changes the first dog as others do.
  private func change(_ live: JoiningDog, _ other: JoiningDog) {
    live.name = "b"
    live.age = 5
    live.note = "n"
    live.owner?.name = "new owner"
    live.friends.append(other)
    live.tags.insert("u")
    live.marks.append(3)
    live.prices["q"] = 2
    live.home?.street = "t"
    live.home?.keys.append("l")
    live.places[0].street = "w"
    live.places.removeLast()
    live.rooms["q"] = .some(JoiningHome("v"))
    other.friends.append(live)
  }

  private func changeAsOthers(_ store: TypedStore) throws { try store.write { try change($0) } }

  private func change(_ transaction: WriteTransaction) throws {
    change(
      try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1)),
      try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 4))
    )
  }

  @Test("no increment is lost", arguments: TypedPlace.allCases)
  func increments(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1))
    let errors = Lock<[String]>([])
    let each = TestEffort.count(150, more: 500)
    let group = DispatchGroup()
    for _ in 0..<2 {
      let handle = store.store()
      DispatchQueue.global().async(group: group) {
        guard let dog = handle.object(ofType: JoiningDog.self, forPrimaryKey: 1) else { return }
        for _ in 0..<each {
          do { try handle.write { _ in dog.age += 1 } } catch { errors.withLock { $0.append("\(error)") } }
        }
      }
    }
    group.wait()
    #expect(errors.withLock { $0 } == [])
    #expect(try store.dog(1).age == 2 * each)
    let (one, two) = (try store.dog(1), try store.dog(1))
    try store.write { _ in
      one.age += 1
      two.age += 1
    }
    let last = 2 * each + 2
    #expect(try store.dog(1).age == last && one.age == last && two.age == last)
  }

  @Test("a condition sees what others have written", arguments: TypedPlace.allCases)
  func conditions(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1))
    let (mine, yours) = (try store.dog(1), try store.dog(1))
    for (dog, name) in [(yours, "yours"), (mine, "mine")] {
      try store.write { _ in if dog.name == "" { dog.name = name } }
    }
    #expect(try store.dog(1).name == "yours" && mine.name == "yours")
  }

  private let forms: [(String, (WriteTransaction, JoiningDog) throws -> Bool)] = [
    ("value", { $1.name == "b" }), ("optional", { $1.note == "n" }),
    ("key path", { $1[keyPath: \.age] == 5 }),
    ("name", { $1["age"] as? Int == 5 }),
    ("value(ofProperty:)", { try $1.value(ofProperty: "name") as? String == "b" }),
    ("list by name", { ($1["marks"] as? List<Int>)?.count == 3 }),
    ("description", { $1.description.contains("name = b") }), ("detached", { $1.detached().age == 5 }),
    ("link", { $1.owner?.name == "new owner" }), ("list", { Array($1.marks) == [1, 2, 3] }),
    ("links", { $1.friends.map(\.id) == [2, 3, 4] }), ("set", { $1.tags.sorted() == ["t", "u"] }),
    ("map", { $1.prices.dictionary == ["p": 1, "q": 2] }), ("embedded", { $1.home?.street == "t" }),
    ("in embedded", { $1.home.map { Array($0.keys) } == ["k", "l"] }),
    ("embedded list", { $1.places.map(\.street) == ["w"] }),
    ("embedded map", { $1.rooms.keys == ["q", "r"] }),
    ("inverse", { $1.likedBy.map(\.id) == [4] }), ("copied", { $1.detached().marks.count == 3 }),
    (
      "made from it",
      { transaction, dog in
        let note = try transaction.create(JoiningNote.self, value: ["id": 9, "text": dog.name])
        return note.text == "b"
      }
    ),
  ]

  @Test("each way of reading", arguments: TypedPlace.allCases, [true, false])
  func reading(place: TypedPlace, areRead: Bool) throws {
    let store = try filled(place)
    let dogs = try forms.map { _ in try store.dog(1) }
    if areRead {
      for dog in dogs {
        _ = (dog.friends.map(\.name), dog.tags.count, dog.marks.count, dog.prices.count, dog.owner?.name)
        _ = (dog.home?.keys.count, dog.places.map(\.street), dog.rooms.count, dog.likedBy.count)
      }
    }
    try store.write { transaction in
      try change(transaction)
      for ((name, isNew), dog) in zip(forms, dogs) {
        #expect(try isNew(transaction, dog), "\(name)")
      }
    }
    for dog in dogs { #expect(dog.name == "b" && dog.marks.count == 3 && dog.home?.street == "t") }
  }

  @Test("collections and embedded objects that are held", arguments: TypedPlace.allCases, [true, false])
  func parts(place: TypedPlace, isHeld: Bool) throws {
    let store = try filled(place)
    var owners: [JoiningDog] = []
    func dog() throws -> JoiningDog {
      let dog = try store.dog(1)
      if isHeld { owners.append(dog) }
      return dog
    }
    let lists = try (0..<8).map { _ in try dog().marks }
    let (friends, others) = (try dog().friends, try dog().friends)
    _ = (lists.map(\.count), friends.map(\.name))
    let sets = try (0..<3).map { _ in try dog().tags }
    let maps = try (0..<4).map { _ in try dog().prices }
    let inverse = try dog().likedBy
    let owner = try store.dog(1)
    let (home, part) = (try #require(owner.home), try #require(owner.places.first))
    let homeOwner = try store.dog(1)
    let keys = try #require(homeOwner.home).keys
    try store.write { transaction in
      try change(transaction)
      #expect(lists[0].count == 3 && lists[1].last == 3 && lists[2].first == 1 && lists[3][2] == 3)
      #expect(lists[4].contains(3) && lists[5].map(\.self) == [1, 2, 3] && Array(lists[6]) == [1, 2, 3])
      #expect(lists[7] == List([1, 2, 3]))
      #expect(friends.map(\.id) == [2, 3, 4] && others[2].id == 4)
      #expect(sets[0].count == 2 && sets[1].contains("u") && Array(sets[2]).count == 2)
      #expect(
        maps[0].count == 2 && maps[1]["q"] == 2 && maps[2].keys == ["p", "q"] && maps[3].dictionary.count == 2
      )
      #expect(inverse.count == 1)
      #expect(home.street == "t" && Array(keys) == ["k", "l"])
      // An embedded object that its object does not have any more shows what it did.
      #expect(part.street == "x")
    }
    #expect(lists[0].count == 3 && sets[0].count == 2 && maps[0].count == 2 && home.street == "t")
    withExtendedLifetime(owners) {}
  }

  @Test("derived properties", arguments: TypedPlace.allCases)
  func derived(place: TypedPlace) throws {
    let store = try filled(place)
    let person = try #require(store.store().objects(JoiningPerson.self).first)
    #expect(person.dogsCount == 1)
    try store.write { transaction in
      let dog = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 4))
      dog.owner = person
      #expect(person.dogsCount == 2)
      dog.owner = nil
      #expect(person.dogsCount == 1)
    }
    #expect(person.dogsCount == 1)
  }

  @Test("a write that fails gives the object its values back", arguments: TypedPlace.allCases, [true, false])
  func rollBack(place: TypedPlace, commits: Bool) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let marks = try store.dog(1).marks
    #expect(dog.friends.count == 2)
    try store.write { try change($0) }
    try? store.write { transaction in
      #expect(dog.name == "b" && dog.friends.count == 3 && marks.count == 3)
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.name = "c"
      live.marks.append(4)
      #expect(dog.name == "c" && dog.marks.count == 4 && marks.count == 4)
      if !commits { throw Joining.Refused() }
    }
    #expect(dog.name == (commits ? "c" : "a") && dog.friends.count == (commits ? 3 : 2))
    #expect(dog.marks.count == (commits ? 4 : 2) && marks.count == (commits ? 4 : 2))
  }

  @Test("what does not join shows what it did, and no read fails a write", arguments: TypedPlace.allCases)
  func staying(place: TypedPlace) throws {
    let store = try filled(place)
    let other = try Joining.store(place, with: JoiningDog(1, "foreign"))
    let draft = try store.dog(1)
    draft.age = 7
    let part = try store.dog(1)
    part.home?.number = 7
    let collection = try store.dog(1)
    collection.marks.append(7)
    let renamed = try store.dog(1)
    renamed.id = 10
    let (gone, foreign, frozen) = (try store.dog(3), try other.dog(1), try store.dog(1).freeze())
    let (goneMarks, goneHome) = (try store.dog(2).marks, try store.dog(4))
    try store.deleteAndWait(ofType: JoiningDog.self, forPrimaryKeys: [2, 3])
    try store.read { snapshot in
      let read = try #require(try snapshot.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      try store.write { transaction in
        try change(transaction)
        #expect(read.name == "a" && read.marks.count == 2)
      }
      #expect(read.name == "a")
    }
    try store.write { transaction in
      #expect(draft.age == 7 && draft.name == "a" && draft.marks.count == 2)
      #expect(part.home?.number == 7 && part.name == "a")
      #expect(Array(collection.marks) == [1, 2, 7] && collection.name == "a")
      #expect(renamed.name == "a" && renamed.marks.count == 2)
      #expect(gone.name == "" && gone.chip == "chip 3" && gone.marks.isEmpty && goneMarks.isEmpty)
      #expect(foreign.name == "foreign" && foreign.marks.isEmpty && frozen.name == "a")
      try transaction.delete(goneHome)
      #expect(goneHome.chip == "chip 4")
    }
    try store.put(draft, update: .modified)
    #expect(try store.dog(1).age == 7 && store.dog(1).name == "b" && store.dog(1).marks.count == 3)
    // Assigning to an object that is gone fails as before.
    let error = try typedError { try store.write { _ in if gone.name == "" { gone.name = "x" } } }
    #expect(error.code == .objectNotFound && error.key == "3")
  }

  @Test("what a save of a held object means", arguments: TypedPlace.allCases)
  func saving(place: TypedPlace) throws {
    let store = try filled(place)
    let (unread, keyRead, read, draft) = (
      try store.dog(1), try store.dog(1), try store.dog(1), try store.dog(1)
    )
    draft.note = "draft"
    try store.write { try change($0) }
    // An object that was read shows the state of the write, so that there is nothing to be written.
    try store.write { transaction in
      #expect(read.name == "b")
      try transaction.add(read, update: .all)
    }
    #expect(try store.dog(1).name == "b" && store.dog(1).marks.count == 3)
    try store.write { transaction in
      #expect(draft.name == "a" && draft.note == "draft")
      try transaction.add(draft, update: .modified)
      #expect(draft.name == "b")
    }
    #expect(try store.dog(1).name == "b" && store.dog(1).note == "draft")
    // One that was not read is saved as it is. Its key tells nothing of the state.
    for dog in [unread, keyRead] {
      try store.write { try change($0) }
      try store.write { transaction in
        if dog === keyRead { #expect(dog.id == 1) }
        try transaction.add(dog, update: .all)
        #expect(dog.name == "a")
      }
      #expect(try store.dog(1).name == "a" && store.dog(1).marks.count == 2)
    }
  }

  @Test("only the thread that writes sees the write", arguments: TypedPlace.allCases)
  func otherThread(place: TypedPlace) throws {
    let store = try filled(place)
    let handle = store.store()
    let found = Lock<[String]>([])
    try store.write { transaction in
      try change(transaction)
      let done = DispatchSemaphore(value: 0)
      Thread {
        let dog = handle.object(ofType: JoiningDog.self, forPrimaryKey: 1)
        found.withLock { $0 += [dog?.name ?? "", "\(dog?.marks.count ?? 0)", dog?.home?.street ?? ""] }
        done.signal()
      }.start()
      done.wait()
    }
    #expect(found.withLock { $0 } == ["a", "2", "s"])
  }

  @Test("a closure that runs on the thread of the write queue", arguments: TypedPlace.allCases)
  func asynchronous(place: TypedPlace) async throws {
    let store = try filled(place)
    // SAFETY: only the closure uses it until the write has ended.
    nonisolated(unsafe) let dog = try store.dog(1)
    let marks = Lock<[Int]>([])
    try changeAsOthers(store)
    try await store.write { _ in
      dog.age += 1
      marks.withLock { $0 = Array(dog.marks) }
    }
    #expect(marks.withLock { $0 } == [1, 2, 3] && dog.age == 6)
    #expect(try store.dog(1).age == 6)
  }

  @Test("of several stores each object joins its own", arguments: TypedPlace.allCases)
  func joint(place: TypedPlace) throws {
    let first = try Joining.store(place, with: JoiningDog(1, "a"))
    let second = try Joining.store(place, with: JoiningDog(1, "b"))
    let third = try Joining.store(place, with: JoiningDog(1, "c"))
    let dogs = try [first.dog(1), second.dog(1), third.dog(1)]
    for store in [first, second, third] {
      let dog = try store.dog(1)
      try store.write { _ in dog.age = 1 }
    }
    try StoreManager(repositories: [first, second]).write(to: first, and: second) { _, _ in
      #expect(dogs.map(\.age) == [1, 1, 0])
      dogs[0].age += dogs[1].age
    }
    #expect(try first.dog(1).age == 2 && second.dog(1).age == 1 && dogs.map(\.age) == [2, 1, 0])
  }

  @Test("a prefetched inverse is looked up again", arguments: TypedPlace.allCases)
  func prefetched(place: TypedPlace) throws {
    let store = try filled(place)
    let dogs = try store.store().objects(JoiningDog.self).prefetching("likedBy").all()
    let inverse = try #require(dogs.first).likedBy
    #expect(inverse.isEmpty)
    try store.write { transaction in
      try change(transaction)
      #expect(inverse.count == 1 && inverse.map(\.id) == [4] && dogs.first?.likedBy.count == 1)
    }
  }

  @Test("a prefetched inverse is looked up again after its object has joined", arguments: TypedPlace.allCases)
  func prefetchedOfJoined(place: TypedPlace) throws {
    let store = try filled(place)
    let dogs = try store.store().objects(JoiningDog.self).prefetching("likedBy").all()
    let dog = try #require(dogs.first)
    let inverse = dog.likedBy
    try store.write { transaction in
      #expect(!dog.name.isEmpty)
      try change(transaction)
      #expect(inverse.count == 1 && inverse.map(\.id) == [4] && dog.likedBy.count == 1)
    }
  }
}
