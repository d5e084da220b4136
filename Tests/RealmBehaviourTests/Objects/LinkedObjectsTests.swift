import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Links and inverses of objects that are added, changed and deleted; embedded objects that are added over others.
struct LinkedObjectsTests {
  private func withStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    let types: [Object.Type] = [CreatedTarget.self, CreatedSource.self, MadeToy.self, MadeDog.self]
    let fixture = try StoreFixture(TestRepository("linked", objectTypes: types), kind)
    try body(fixture.store())
    fixture.end()
  }

  @Test(arguments: StoreKind.allCases) func addingAnObjectAddsWhatItLinks(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let dog = MadeDog(value: ["id": 1])
      dog.favourite = MadeToy(value: ["name": "ball"])
      try store.write { store.add(dog) }
      #expect(
        store.objects(MadeDog.self).first?.favourite?.name == "ball" && store.objects(MadeToy.self).count == 1
      )
      try store.write {
        let other = store.create(MadeDog.self, value: ["id": 2, "favourite": NSNull()])
        other.favourite = dog.favourite
      }
      #expect(store.objects(MadeDog.self).compactMap { $0.favourite?.name } == ["ball", "ball"])
      #expect(store.objects(MadeToy.self).count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func deletingWhatIsLinkedClearsTheLink(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let dog = MadeDog(value: ["id": 1, "favourite": ["name": "ball"]])
      try store.write { store.add(dog) }
      try store.write {
        let live = try #require(store.objects(MadeDog.self).first)
        store.delete(try #require(live.favourite))
        #expect(live.favourite == nil)
      }
      #expect(store.objects(MadeDog.self).first?.favourite == nil && store.objects(MadeToy.self).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func inversesFollowTheStore(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let dog = MadeDog(value: ["id": 1])
      let friend = MadeDog(value: ["id": 2])
      dog.friend = friend
      #expect(friend.friendOf.count == 0)
      try store.write { store.add(dog) }
      let friends = friend.friendOf
      #expect(friends.count == 1 && friends.first?.id == 1)
      try store.write { dog.friend = nil }
      #expect(friends.count == 0)
    }
  }

  @Test(arguments: StoreKind.allCases) func aClassWithAnInverseAlone(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let target = CreatedTarget()
      let source = CreatedSource(value: ["value": 1])
      source.target = target
      try store.write { store.add(source) }
      #expect(target.sources.count == 1 && target.sources.first?.value == 1)
      let second = CreatedSource(value: ["value": 2])
      second.target = target
      #expect(target.sources.count == 1)
      try store.write { store.add(second) }
      #expect(target.sources.count == 2 && target.sources.contains { $0.value == 2 })
      let alone = CreatedTarget()
      try store.write { store.add(alone) }
      #expect(alone.sources.count == 0 && store.objects(CreatedTarget.self).count == 2)
    }
  }

  private func parent(_ texts: [String]) -> MadeDog {
    let tags = texts.map { MadeTag($0) }
    let dog = MadeDog(value: ["id": 1])
    dog.tag = tags[0]
    dog.tag?.next = tags[1]
    dog.tag?.inner.append(tags[2])
    dog.tags.append(objectsIn: tags[3...])
    return dog
  }

  private func texts(_ dog: MadeDog) -> [String?] {
    [dog.tag?.text, dog.tag?.next?.text, dog.tag?.inner.first?.text] + dog.tags.map(\.text)
  }

  @Test(arguments: [UpdatePolicy.all, .modified], StoreKind.allCases)
  func embeddedObjectsOfAnObjectThatIsAddedOverAnother(_ update: UpdatePolicy, _ kind: StoreKind) throws {
    try withStore(kind) { store in
      let first = parent(["a", "b", "c", "d", "e"])
      let second = parent(["f", "g", "h", "i", "j"])
      try store.write {
        store.add(first)
        #expect(texts(first) == ["a", "b", "c", "d", "e"])
        store.add(second, update: update)
        #expect(texts(first) == ["f", "g", "h", "i", "j"] && texts(second) == texts(first))
        second.tag?.text = "k"
        second.tags.append(MadeTag("l"))
      }
      let found = try #require(store.objects(MadeDog.self).first)
      #expect(texts(found) == ["k", "g", "h", "i", "j", "l"] && store.objects(MadeDog.self).count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func addingOverALinkedObjectChangesIt(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      try store.write { store.create(MadeToy.self, value: ["name": "ball", "price": 1]) }
      let toy = try #require(store.objects(MadeToy.self).first)
      let dog = MadeDog(value: ["id": 1, "favourite": ["name": "ball", "price": 2]])
      #expect(throws: FiefError.self) { try store.write { store.add(dog) } }
      try store.write { store.add(dog, update: .modified) }
      #expect(store.objects(MadeToy.self).map(\.price) == [2] && dog.favourite?.hasSameKey(as: toy) == true)
    }
  }

  @Test(arguments: StoreKind.allCases) func objectsInACircle(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let (first, second) = (MadeDog(value: ["id": 1]), MadeDog(value: ["id": 2]))
      first.friend = second
      second.friend = first
      try store.write { store.add(first) }
      #expect(store.objects(MadeDog.self).count == 2)
      #expect(store.objects(MadeDog.self).first?.friend?.friend?.id == 1)
      // The instances hold each other until one of the links is nil, which is not saved.
      first.friend = nil
      #expect(first.friend == nil && second.friend === first)
      #expect(store.objects(MadeDog.self).first?.friend?.id == 2)
    }
  }

  /// The end of a circle of instances, as the article on faults says.
  @Test func aCircleIsReleasedWhereALinkIsNil() throws {
    try withStore(.inMemory) { store in
      weak var weakFirst: MadeDog?
      weak var weakSecond: MadeDog?
      func make() throws {
        let (first, second) = (MadeDog(value: ["id": 1]), MadeDog(value: ["id": 2]))
        first.friend = second
        second.friend = first
        try store.write { store.add(first) }
        (weakFirst, weakSecond) = (first, second)
        first.friend = nil
      }
      try make()
      #expect(weakFirst == nil && weakSecond == nil)
      #expect(store.objects(MadeDog.self).first?.friend?.friend?.id == 1)
    }
  }
}
