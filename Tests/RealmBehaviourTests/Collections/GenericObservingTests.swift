import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class GenericDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

private final class GenericOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var dogs: List<GenericDog>
  @Persisted var pack: MutableSet<GenericDog>
}

/// Code that is generic over collections, or hides their type, as applications of Realm's have it.
@MainActor @Suite(.freshStores, .timeLimit(.minutes(20))) struct GenericObservingTests {
  private let realm: Realm
  private let owner: GenericOwner

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [GenericDog.self, GenericOwner.self]
      )
    )
    owner = GenericOwner()
    try realm.write { [realm, owner] in
      let dogs = [1, 2].map { GenericDog(value: ["id": $0, "name": "dog \($0)"]) }
      owner.dogs.append(objectsIn: dogs)
      owner.pack.insert(objectsIn: dogs)
      realm.add(owner)
    }
  }

  private func wait(until isDone: () -> Bool) async throws {
    while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Adds a dog on another thread.
  private func addDog(_ id: Int) async throws {
    try await realm.write { transaction in
      let owner = try #require(try transaction.object(ofType: GenericOwner.self, forPrimaryKey: 0))
      let dog = try transaction.create(GenericDog.self, value: ["id": id])
      owner.dogs.append(dog)
      owner.pack.insert(dog)
    }
  }

  private func names<Dogs: RealmCollection>(_ dogs: Dogs) -> [String] where Dogs.Element == GenericDog {
    dogs.sorted(byKeyPath: "id").filter("id > %@", 0).where { $0.id < 9 }.map(\.name)
  }

  private func totals<Dogs: RealmCollection>(_ dogs: Dogs) -> [Int?] where Dogs.Element: Object {
    [
      dogs.sum(ofProperty: "id"), dogs.min(ofProperty: "id"), dogs.max(ofProperty: "id"),
      dogs.index(of: dogs[1]),
    ]
  }

  private func follow<Dogs: RealmCollection>(_ dogs: Dogs, _ show: @escaping (Dogs) -> Void)
    -> NotificationToken
  where Dogs.Element: Object {
    dogs.observe { change in
      switch change {
      case .initial(let dogs), .update(let dogs, _, _, _): show(dogs)
      case .error(let error): Issue.record(error)
      }
    }
  }

  @Test("generic code asks each collection as its own members do") func asking() throws {
    let all = realm.objects(GenericDog.self)
    let hidden = AnyRealmCollection(owner.dogs)
    let expected = ["dog 1", "dog 2"]
    #expect(names(all) == expected && names(owner.dogs) == expected && names(owner.pack) == expected)
    #expect(names(hidden) == expected && hidden[1].name == "dog 2")
    #expect(totals(owner.dogs) == [3, 1, 2, 1] && totals(hidden) == [3, 1, 2, 1])
    #expect(!owner.dogs.isFrozen && !hidden.isFrozen && AnyRealmCollection(all.freeze()).isFrozen)
    realm.close()
  }

  @Test("the handler of generic code gets the collection's own type") func observing() async throws {
    var seen: [String: Int] = [:]
    let tokens = [
      follow(owner.dogs) { (dogs: List<GenericDog>) in seen["list"] = dogs.count },
      follow(owner.pack) { (dogs: MutableSet<GenericDog>) in seen["set"] = dogs.count },
      follow(realm.objects(GenericDog.self)) { (dogs: Results<GenericDog>) in seen["results"] = dogs.count },
      follow(AnyRealmCollection(owner.dogs)) { (dogs: AnyRealmCollection<GenericDog>) in
        seen["hidden"] = dogs.count
      },
    ]
    try await wait { seen == ["list": 2, "set": 2, "results": 2, "hidden": 2] }
    try await addDog(3)
    try await wait { seen == ["list": 3, "set": 3, "results": 3, "hidden": 3] }
    for token in tokens { token.invalidate() }
    realm.close()
  }

  @Test("a list whose type is hidden has the state of the change in its handler") func hidden() async throws {
    let dogs = AnyRealmCollection(owner.dogs)
    var counts: [Int] = []
    let token = dogs.observe { change in
      counts.append(dogs.count)
      if case .update(let shown, _, let insertions, _) = change {
        #expect(shown.count == dogs.count && insertions == [2] && dogs[2].id == 3)
      }
    }
    try await wait { counts == [2] }
    try await addDog(3)
    try await wait { counts == [2, 3] }
    token.invalidate()
    realm.close()
  }

  @Test("refresh() brings a list to the newest state whose object is not held") func refreshing() async throws
  {
    let dogs = try #require(realm.object(ofType: GenericOwner.self, forPrimaryKey: 0)).dogs
    let pack = try #require(realm.object(ofType: GenericOwner.self, forPrimaryKey: 0)).pack
    #expect(dogs.count == 2 && pack.count == 2)
    try await addDog(3)
    #expect(dogs.count == 2)
    #expect(realm.refresh())
    #expect(dogs.map(\.id) == [1, 2, 3] && dogs.count == 3 && pack.count == 3)
    try await addDog(4)
    #expect(dogs.count == 3)
    realm.refresh()
    #expect(dogs.last?.id == 4 && pack.count == 4)
    try realm.write { dogs.removeFirst() }
    #expect(realm.objects(GenericOwner.self).first?.dogs.map(\.id) == [2, 3, 4])
    try await realm.write { try $0.deleteAll(GenericOwner.self) }
    realm.refresh()
    #expect(dogs.isInvalidated)
    realm.close()
  }
}
