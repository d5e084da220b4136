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
      // A deleted object is not copied either.
      let copied = #expect(throws: FiefError.self) {
        try store.write { store.create(MadeDog.self, value: friend) }
      }
      #expect(copied?.code == .objectNotFound && copied?.type == "MadeDog")
      #expect(store.objects(MadeDog.self).map(\.id) == [2])
      // It can be added again.
      try store.write { store.add(friend) }
      #expect(store.objects(MadeDog.self).map(\.id) == [1, 2])
    }
  }

  /// The object is deleted through this instance, or through another one.
  @Test(arguments: StoreKind.allCases, [true, false])
  func oneRuleForAllPlaces(_ kind: StoreKind, isDeletedHere: Bool) throws {
    try withMixedStore(kind) { store in
      let dog = try deletedDog(in: store, isDeletedHere)
      let plain = MixedHolder()
      plain.value = .object(dog)
      let part = MixedHolder()
      part.part = MixedPart()
      part.part?.dog = dog
      let list = MixedHolder()
      list.values.append(.dictionary(["a": .object(dog)]))
      let values: [(Any, String, String)] = [
        (["value": dog], "MixedHolder", "value"),
        (["value": AnyRealmValue.object(dog)], "MixedHolder", "value"),
        (["value": AnyRealmValue.list([.int(1), .object(dog)])], "MixedHolder", "value"),
        (["values": [AnyRealmValue.object(dog)]], "MixedHolder", "values"),
        (["part": ["dog": dog]], "MixedPart", "dog"),
        (plain, "MixedHolder", "value"), (part, "MixedPart", "dog"), (list, "MixedHolder", "values"),
        (["child": plain], "MixedHolder", "value"), (["child": part], "MixedPart", "dog"),
      ]
      for (value, type, property) in values {
        let error = #expect(throws: FiefError.self) {
          try store.write { store.create(MixedHolder.self, value: value) }
        }
        #expect(error?.code == .objectNotFound && error?.type == type && error?.property == property)
      }
      let error = #expect(throws: FiefError.self) {
        try store.write { store.create(AnyDog.self, value: dog) }
      }
      #expect(error?.code == .objectNotFound && error?.type == "AnyDog" && error?.property == nil)
      #expect(store.objects(MixedHolder.self).isEmpty && store.objects(AnyDog.self).isEmpty)
    }
  }

  @Test("what a stored object had cached is left out", arguments: StoreKind.allCases, [true, false])
  func cachedObjectsAreLeftOut(_ kind: StoreKind, isDeletedHere: Bool) throws {
    try withMixedStore(kind) { store in
      try store.write {
        let (holder, dog) = (MixedHolder(), AnyDog("Rex"))
        holder.link = dog
        holder.links.append(dog)
        holder.map["a"] = .some(dog)
        holder.value = .object(dog)
        holder.values.append(objectsIn: [.object(dog), .int(1)])
        holder.part = MixedPart()
        holder.part?.dog = dog
        store.add(holder)
      }
      let held = try #require(store.objects(MixedHolder.self).first)
      let dog = try #require(held.link)
      #expect(held.links.first != nil && held.map["a"] != nil && held.value != .none && held.part?.dog != nil)
      #expect(held.values.count == 2)
      try store.write { isDeletedHere ? store.delete(dog) : store.deleteAll(AnyDog.self) }
      let copy = MixedHolder()
      copy.child = held
      try store.write {
        store.create(MixedHolder.self, value: held)
        store.create(MixedHolder.self, value: ["child": held])
      }
      #expect(store.objects(AnyDog.self).isEmpty)
      let made = try #require(store.objects(MixedHolder.self).filter("child == nil").last)
      #expect(made.link == nil && made.links.isEmpty && made.map["a"] == .some(nil) && made.value == .none)
      #expect(Array(made.values) == [.none, .int(1)] && made.part != nil && made.part?.dog == nil)
      #expect(store.objects(MixedHolder.self).count == 3)
    }
  }

  private func deletedDog(in store: Store, _ isDeletedHere: Bool) throws -> AnyDog {
    let dog = AnyDog("Rex")
    try store.write { store.add(dog) }
    try store.write { isDeletedHere ? store.delete(dog) : store.deleteAll(AnyDog.self) }
    return dog
  }

  private func withMixedStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    try withValueStore(kind, [MixedHolder.self, AnyDog.self], body)
  }
}

private final class MixedPart: EmbeddedObject {
  @Persisted var dog: AnyDog?
}

private final class MixedHolder: Object {
  @Persisted var link: AnyDog?
  @Persisted var links: List<AnyDog>
  @Persisted var map: Map<String, AnyDog?>
  @Persisted var value: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var part: MixedPart?
  @Persisted var child: MixedHolder?
}
