import FiefRealm
import FiefTesting
import Foundation
import Testing

/// `create(_:value:)` with an object among the values that was deleted: Realm raises an exception.
struct CreatingWithDeletedTests {
  @Test("also one that was read before, and deleted through another instance", arguments: StoreKind.allCases)
  func aHeldObjectIsNotLinked(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write { store.add([MadeDog(value: ["id": 1]), MadeDog(value: ["id": 2])]) }
      let held = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      try store.write { store.delete(store.objects(MadeDog.self).filter("id = 1")) }
      for value: [String: Any] in [
        ["id": 3, "friend": held], ["id": 3, "friend": ["id": 4, "friend": held]],
      ] {
        #expect {
          try store.write { store.create(MadeDog.self, value: value) }
        } throws: {
          ($0 as? FiefError)?.code == .objectNotFound && ($0 as? FiefError)?.property == "friend"
        }
      }
      // Objects that are there, in this write or before, are linked.
      try store.write {
        let other = store.create(MadeDog.self, value: ["id": 5])
        let third = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 2))
        store.create(MadeDog.self, value: ["id": 6, "friend": other])
        store.create(MadeDog.self, value: ["id": 7, "friend": third])
      }
      let friends = store.objects(MadeDog.self).filter("id > 5").sorted(byKeyPath: "id")
      #expect(friends.map(\.friend?.id) == [5, 2] && store.objects(MadeDog.self).count == 4)
    }
  }

  @Test(arguments: StoreKind.allCases) func aDeletedObjectIsNotStoredAgain(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      let toy = MadeToy(value: ["name": "ball"])
      let friend = MadeDog(value: ["id": 1])
      try store.write {
        store.add([friend, MadeDog(value: ["id": 2])])
        store.add(toy)
        store.delete(toy)
        store.delete(friend)
      }
      let plain = MadeDog(value: ["id": 3])
      plain.friend = friend
      let values: [(Any, String)] = [
        (["id": 4, "friend": friend], "friend"), (["id": 4, "favourite": toy], "favourite"),
        (["id": 4, "toys": [toy]] as [String: Any], "toys"),
        (["id": 4, "toySet": [toy]] as [String: Any], "toySet"),
        (["id": 4, "friend": ["id": 5, "friend": friend] as [String: Any]] as [String: Any], "friend"),
        (plain, "friend"),
      ]
      for (value, property) in values {
        #expect {
          try store.write { store.create(MadeDog.self, value: value) }
        } throws: {
          ($0 as? FiefError)?.code == .objectNotFound && ($0 as? FiefError)?.property == property
            && ($0 as? FiefError)?.type == "MadeDog"
        }
      }
      #expect(store.objects(MadeDog.self).map(\.id) == [2] && store.objects(MadeToy.self).isEmpty)
      // A deleted object that is copied itself makes a new one, with what it links.
      try store.write { store.create(MadeDog.self, value: friend) }
      #expect(store.objects(MadeDog.self).map(\.id) == [1, 2])
    }
  }
}
