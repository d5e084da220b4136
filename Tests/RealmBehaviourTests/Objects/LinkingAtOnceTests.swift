import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Inverses in the write that makes the links, and objects that a write has deleted.
struct LinkingAtOnceTests {
  @Test(arguments: StoreKind.allCases) func anObjectThatIsLinkedIsCountedAtOnce(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let dog = store.create(MadeDog.self, value: ["id": 1])
        let toy = MadeToy(value: ["name": "ball"])
        #expect(toy.owners.count == 0)
        dog.toys.append(toy)
        #expect(toy.owners.count == 1 && toy.owners.first === dog)
        #expect(toy.owners.map(\.id) == [1])
        let friend = MadeDog(value: ["id": 2])
        dog.friend = friend
        #expect(friend.friendOf.first === dog && friend.friendOf.contains(dog))
        let third = MadeDog(value: ["id": 3])
        friend.friend = third
        #expect(third.friendOf.map(\.id) == [2])
        dog.toys.removeAll()
        #expect(toy.owners.isEmpty)
        let note = MadeNote()
        let child = MadeNote()
        store.add(note)
        note.notes.append(child)
        #expect(child.parents.count == 1 && child.parents.first === note)
      }
      #expect(store.objects(MadeDog.self).count == 3 && store.objects(MadeNote.self).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func objectsThatWereReadBefore(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        store.create(MadeDog.self, value: ["id": 1])
        store.create(MadeToy.self, value: ["name": "ball"])
      }
      let dog = try #require(store.objects(MadeDog.self).first)
      let toy = try #require(store.objects(MadeToy.self).first)
      try store.write {
        dog.toys.append(toy)
        #expect(toy.owners.count == 1)
        dog.toys.removeLast()
        #expect(toy.owners.count == 0)
        dog.toys.append(toy)
      }
      #expect(toy.owners.count == 1)
    }
  }

  @Test func whatIsInNoStoreHasNoInverse() throws {
    try withMadeStore(.inMemory) { store in
      let dog = MadeDog(value: ["id": 1, "toys": [["name": "ball"]]])
      let toy = try #require(dog.toys.first)
      #expect(toy.owners.count == 0 && toy.owners.first == nil)
      try store.write { store.create(MadeDog.self, value: ["id": 5]) }
      #expect(store.objects(MadeDog.self).count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func eachChangeOfADeletedObjectIsReported(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        store.create(MadeDog.self, value: ["id": 1, "name": "Rex"])
        store.create(MadeDog.self, value: ["id": 2])
      }
      let held = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      var deleted: MadeDog?
      let events = withExpectedEvents {
        try? store.write {
          held.age = 1
          store.delete(held)
          held.age = 2
          held.age = 3
          held.words.append("x")
          deleted = held
        }
      }
      #expect(events.count == 3)
      #expect(events.allSatisfy { $0.failure?.code == .objectNotFound && $0.failure?.type == "MadeDog" })
      #expect(held.age == 3)
      // The same holds in a later write; outside of any it is an object like a new one.
      deleted?.age = 4
      let later = withExpectedEvents { try? store.write { deleted?.age = 5 } }
      #expect(later.count == 1)
      #expect(store.objects(MadeDog.self).count == 1)
      // The object can be added again, and belongs to the store from there on.
      try store.write {
        try store.add(#require(deleted))
        deleted?.age = 6
      }
      #expect(store.object(ofType: MadeDog.self, forPrimaryKey: 1)?.age == 6)
      #expect(store.object(ofType: MadeDog.self, forPrimaryKey: 1)?.name == "Rex")
    }
  }

  @Test(arguments: StoreKind.allCases) func aWriteThatFailsGivesDeletedObjectsBack(_ kind: StoreKind) throws {
    struct Stop: Error {}
    try withMadeStore(kind) { store in
      try store.write { store.create(MadeDog.self, value: ["id": 1, "name": "Rex"]) }
      let dog = try #require(store.objects(MadeDog.self).first)
      #expect(throws: Stop.self) {
        try store.write {
          dog.age = 1
          store.delete(dog)
          throw Stop()
        }
      }
      try store.write { dog.age = 2 }
      #expect(store.objects(MadeDog.self).map(\.age) == [2])
    }
  }
}
