import Fief
import Foundation
import Testing

@Suite("Collections of objects held across writes")
struct HeldCollectionTests {
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let dog = JoiningDog(1, "a")
    dog.friends.append(objectsIn: [JoiningDog(2), JoiningDog(3)])
    dog.tags.insert(objectsIn: ["a", "b"])
    dog.marks.append(objectsIn: [1, 2, 3])
    dog.prices.merge(["a": 1, "b": 2])
    dog.places.append(objectsIn: [JoiningHome("x"), JoiningHome("y"), JoiningHome("z")])
    return try Joining.store(place, with: dog, JoiningDog(4))
  }

  @Test("each operation is done on what the store has", arguments: TypedPlace.allCases, [true, false])
  func operations(place: TypedPlace, areRead: Bool) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    if areRead { _ = (dog.friends.count, dog.tags.count, dog.marks.count, dog.prices.count) }
    let fourth = try store.dog(4)
    // Another copy changes the collections in the meantime.
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.friends.append(fourth)
      live.tags.insert("c")
      live.marks.insert(0, at: 0)
      live.prices["c"] = 3
    }
    try store.write { transaction in
      dog.friends.append(dog)
      dog.tags.insert("d")
      dog.tags.remove("a")
      dog.marks.append(4)
      dog.marks.remove(at: 1)
      dog.marks.swapAt(0, 1)
      dog.marks.move(from: 0, to: 3)
      dog.prices["d"] = 4
      dog.prices.removeObject(for: "a")
      #expect(transaction.objects(JoiningDog.self).filter("4 IN marks").count == 1)
      #expect(fourth.likedBy.map(\.id) == [1])
    }
    for found in [dog, try store.dog(1)] {
      #expect(found.friends.map(\.id) == [2, 3, 4, 1])
      #expect(found.tags.sorted() == ["b", "c", "d"])
      #expect(Array(found.marks) == [0, 3, 4, 2])
      #expect(found.prices.dictionary == ["b": 2, "c": 3, "d": 4])
    }
    try store.write { _ in
      dog.friends.removeAll { $0.id > 2 }
      dog.tags.removeAll()
      dog.marks[0] = 9
      dog.marks.removeLast()
      dog.prices.removeAll()
    }
    let found = try store.dog(1)
    #expect(found.friends.map(\.id) == [2, 1] && found.tags.isEmpty && found.prices.isEmpty)
    #expect(Array(found.marks) == [9, 3, 4])
  }

  @Test("a collection that is held itself is changed", arguments: TypedPlace.allCases)
  func heldCollections(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let (friends, marks) = (dog.friends, dog.marks)
    try store.write { _ in
      dog.age = 1
      friends.append(dog)
      marks.append(4)
    }
    #expect(friends.map(\.id) == [2, 3, 1] && marks.count == 4)
    try store.write { _ in marks.append(5) }
    let found = try store.dog(1)
    #expect(found.friends.map(\.id) == [2, 3, 1] && Array(found.marks) == [1, 2, 3, 4, 5] && found.age == 1)
  }

  @Test(
    "a collection whose object nothing holds is that of its object in a write",
    arguments: TypedPlace.allCases
  )
  func lostOwner(place: TypedPlace) throws {
    let store = try filled(place)
    let (marks, friends) = (try store.dog(1).marks, try store.dog(1).friends)
    let (tags, prices) = (try store.dog(1).tags, try store.dog(1).prices)
    // Another copy changes it in the meantime.
    try store.write { _ in store.store().objects(JoiningDog.self).first?.marks.append(4) }
    try store.write { _ in
      marks.append(5)
      friends.removeLast()
      tags.insert("c")
      prices["c"] = 3
    }
    #expect(Array(marks) == [1, 2, 3, 4, 5] && friends.map(\.id) == [2])
    try store.write { _ in marks.append(6) }
    let found = try store.dog(1)
    #expect(Array(found.marks) == [1, 2, 3, 4, 5, 6] && found.friends.map(\.id) == [2])
    #expect(found.tags.sorted() == ["a", "b", "c"] && found.prices.dictionary == ["a": 1, "b": 2, "c": 3])
  }

  @Test(
    "a collection whose object nothing holds shows what it did after a failed write",
    arguments: TypedPlace.allCases
  )
  func lostOwnerOfFailedWrite(place: TypedPlace) throws {
    let store = try filled(place)
    let marks = try store.dog(1).marks
    #expect(throws: Joining.Refused.self) {
      try store.write { transaction in
        marks.append(4)
        _ = try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1)
        #expect(marks.count == 4)
        throw Joining.Refused()
      }
    }
    #expect(Array(marks) == [1, 2, 3])
    try store.write { try $0.delete(ofType: JoiningDog.self, forPrimaryKeys: [1]) }
    #expect(try typedError { try store.write { _ in marks.append(4) } }.code == .objectNotFound)
    #expect(Array(marks) == [1, 2, 3])
  }

  @Test("a collection of an embedded object that nothing holds", arguments: TypedPlace.allCases)
  func lostEmbeddedOwner(place: TypedPlace) throws {
    let store = try filled(place)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.home = JoiningHome("h")
      live.home?.keys.append("a")
    }
    let keys = try keysOfHome(store)
    let elements = try store.dog(1).places[0].keys
    try store.write { _ in keys.append("b") }
    #expect(try #require(try store.dog(1).home).keys.map(\.self) == ["a", "b"])
    // One in an element of a list is not known to be anywhere.
    #expect(try typedError { try store.write { _ in elements.append("c") } }.code == .objectNotFound)
  }

  private func keysOfHome(_ store: TypedStore) throws -> List<String> {
    let dog = try store.dog(1)
    return try withExtendedLifetime(dog) { try #require(dog.home).keys }
  }

  @Test("a collection whose object nothing holds is asked", arguments: TypedPlace.allCases)
  func lostOwnerAsked(place: TypedPlace) throws {
    let store = try filled(place)
    #expect(try store.dog(1).friends.filter("id > 2").map(\.id) == [3])
    #expect(try store.dog(1).friends.where { $0.id < 3 }.count == 1)
    #expect(try store.dog(1).friends.sorted(byKeyPath: \.id, ascending: false).map(\.id) == [3, 2])
    #expect(try store.dog(1).places.where { $0.street == "y" }.count == 1)
    let friends = try store.dog(1).friends
    let results = friends.results
    let fourth = try store.dog(4)
    try store.write { _ in friends.append(fourth) }
    #expect(results.map(\.id) == [2, 3, 4] && friends.max(of: \.id) == 4)
    // A change outside of a write is not the store's, and cannot be saved.
    let (tags, others) = (try store.dog(1).tags, try store.dog(1).friends)
    tags.insert("c")
    others.removeLast()
    #expect(try typedError { _ = try others.results.all() }.code == .invalidQuery)
    #expect(try store.dog(1).tags.count == 2 && store.dog(1).friends.count == 3)
  }

  @Test("a collection whose object nothing holds is observed", arguments: TypedPlace.allCases)
  func lostOwnerObserved(place: TypedPlace) async throws {
    let store = try filled(place)
    let changes = try store.dog(1).friends.changes().makeAsyncIterator()
    guard case .initial(let first) = try await changes.next() else { throw Joining.Refused() }
    #expect(first.map(\.id) == [2, 3])
    try appendFourth(store)
    guard case .update(_, _, let insertions, _) = try await changes.next() else { throw Joining.Refused() }
    #expect(insertions == [2])
  }

  private func appendFourth(_ store: TypedStore) throws {
    let (friends, fourth) = (try store.dog(1).friends, try store.dog(4))
    try store.write { _ in friends.append(fourth) }
  }

  @Test("collections do not keep their objects", arguments: TypedPlace.allCases)
  func noCycle(place: TypedPlace) throws {
    let store = try filled(place)
    var dog: JoiningDog? = try store.dog(1)
    let marks = try #require(dog?.marks)
    let reference = WeakDog(dog: dog)
    dog = nil
    #expect(reference.dog == nil && marks.count == 3)
  }

  private struct WeakDog {
    weak var dog: JoiningDog?
  }

  @Test("assigning a collection replaces the contents of the held one", arguments: TypedPlace.allCases)
  func assignedStays(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let (marks, tags, prices, friends) = (dog.marks, dog.tags, dog.prices, dog.friends)
    let homes = dog.places
    try store.write { _ in
      dog.marks = List([1])
      marks.append(3)
      dog.tags = ["x"]
      tags.insert("y")
      dog.prices = ["p": 1]
      prices["q"] = 2
      dog.friends = List()
      friends.append(dog)
      dog.places = List([JoiningHome("new")])
      homes.append(JoiningHome("newer"))
      homes[0].number = 5
      #expect(dog.marks === marks && dog.places === homes)
    }
    for found in [dog, try store.dog(1)] {
      #expect(Array(found.marks) == [1, 3] && found.tags.sorted() == ["x", "y"])
      #expect(found.prices.dictionary == ["p": 1, "q": 2] && found.friends.map(\.id) == [1])
      #expect(found.places.map(\.street) == ["new", "newer"] && found.places.map(\.number) == [5, 0])
    }
    #expect(throws: Joining.Refused.self) {
      try store.write { _ in
        dog.marks = List([7])
        marks.append(8)
        throw Joining.Refused()
      }
    }
    #expect(Array(marks) == [1, 3] && dog.marks === marks)
    // The same holds without a store.
    let new = JoiningDog(9)
    let own = new.marks
    new.marks = List([1, 2])
    own.append(3)
    new.marks = new.marks
    #expect(Array(new.marks) == [1, 2, 3])
  }

  @Test("an assigned collection", arguments: TypedPlace.allCases)
  func assigned(place: TypedPlace) throws {
    let store = try filled(place)
    let (dog, other) = (try store.dog(1), try store.dog(4))
    try store.write { _ in
      other.friends = dog.friends
      other.marks = List([7, 8])
      other.marks.append(9)
    }
    let found = try store.dog(4)
    #expect(found.friends.map(\.id) == [2, 3] && Array(found.marks) == [7, 8, 9])
  }

  @Test("embedded objects are found again in lists that have changed", arguments: TypedPlace.allCases)
  func embedded(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    let (second, third) = (dog.places[1], dog.places[2])
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.places.remove(at: 0)
      live.places.insert(JoiningHome("new"), at: 1)
      live.places.insert(JoiningHome("newer"), at: 1)
    }
    try store.write { _ in
      second.street = "second"
      third.number = 3
    }
    #expect(try store.dog(1).places.map(\.street) == ["second", "newer", "new", "z"])
    #expect(try store.dog(1).places[3].number == 3)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.places.removeLast()
    }
    let error = try typedError { try store.write { _ in third.street = "gone" } }
    #expect(error.code == .objectNotFound && error.type == "JoiningHome")
    #expect(third.street == "z" && dog.places.count == 4)
    #expect(try store.dog(1).places.count == 3)
  }

  @Test("a single embedded object that is gone, or another one", arguments: TypedPlace.allCases)
  func single(place: TypedPlace) throws {
    let store = try filled(place)
    try store.write { _ in store.store().objects(JoiningDog.self).first?.home = JoiningHome("h", 1) }
    let dog = try store.dog(1)
    let home = try #require(dog.home)
    home.street = "draft"
    try store.write { _ in store.store().objects(JoiningDog.self).first?.home = JoiningHome("i", 2) }
    try store.write { _ in
      home.number += 1
      #expect(home.street == "i")
    }
    #expect(try store.dog(1).home?.street == "i" && store.dog(1).home?.number == 2)
    #expect(home.street == "draft" && dog.home === home)
    try store.write { _ in store.store().objects(JoiningDog.self).first?.home = nil }
    #expect(try typedError { try store.write { _ in home.number = 9 } }.code == .objectNotFound)
    #expect(home.number == 2 && dog.home === home)
  }

  @Test("large collections change where they are", arguments: TypedPlace.allCases)
  func large(place: TypedPlace) throws {
    let store = try filled(place)
    let dog = try store.dog(1)
    try store.write { _ in
      dog.marks.append(objectsIn: 0..<20_000)
      dog.tags.insert(objectsIn: (0..<3_000).map { "tag number \($0)" })
    }
    let (held, unread) = (try store.dog(1), try store.dog(1))
    #expect(held.marks.count == 20_003)
    let marks = held.marks
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.marks.append(-1)
      marks.append(-2)
      unread.marks.append(-3)
      unread.tags.remove("tag number 5")
      #expect(live.marks.count == 20_006 && marks.count == 20_006 && unread.marks.last == -3)
    }
    #expect(marks.count == 20_006 && marks.last == -3)
    try? store.write { _ in
      marks.removeAll()
      throw Joining.Refused()
    }
    #expect(marks.count == 20_006)
    let found = try store.dog(1)
    #expect(found.marks.count == 20_006 && Array(found.marks)[20_003...] == [-1, -2, -3])
    #expect(found.tags.count == 3_001)
  }

  @Test("an inverse that is changed from the other side", arguments: TypedPlace.allCases)
  func inverses(place: TypedPlace) throws {
    let store = try filled(place)
    let (dog, fourth) = (try store.dog(1), try store.dog(4))
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      live.friends.removeAll()
    }
    try store.write { _ in
      fourth.likedBy.append(dog)
      #expect(fourth.likedBy.map(\.id) == [1] && dog.friends.map(\.id) == [4])
    }
    #expect(try store.dog(1).friends.map(\.id) == [4])
    try store.write { _ in fourth.likedBy.remove(dog) }
    #expect(try store.dog(1).friends.isEmpty)
  }
}
