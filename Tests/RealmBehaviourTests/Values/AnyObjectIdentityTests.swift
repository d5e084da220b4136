import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

@Suite("Objects in values of any type, looked for and deleted")
struct AnyObjectIdentityTests {
  private static let types: [Object.Type] = [AnyHolder.self, AnyDog.self, AnyNode.self]

  @Test("are not saved by a look for them in a large collection", arguments: StoreKind.allCases)
  func lookingIsNoSave(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      let node = AnyNode()
      node.name = "stored"
      try store.write {
        for number in 0..<1000 {
          holder.list.append(.int(number))
          holder.set.insert(.int(number))
        }
        holder.list.append(.object(node))
        holder.set.insert(.object(node))
        store.add(holder)
      }
      try store.write {
        guard let holder = store.objects(AnyHolder.self).first else { return }
        let probe = AnyNode()
        probe.id = node.id
        #expect(!holder.set.contains(.object(AnyDog("new"))))
        #expect(holder.list.index(of: .object(AnyDog("new"))) == nil)
        #expect(!holder.set.contains(.object(probe)) && holder.list.index(of: .object(probe)) == nil)
        holder.set.remove(.object(AnyDog("new")))
        #expect(holder.set.contains(.object(node)) && holder.list.index(of: .object(node)) == 1000)
        #expect(holder.set.contains(.int(3)))
      }
      #expect(store.objects(AnyDog.self).isEmpty)
      #expect(store.objects(AnyNode.self).map(\.name) == ["stored"])
      #expect(store.objects(AnyHolder.self).first?.set.count == 1001)
    }
  }

  @Test("that were deleted are not in a large set that has none", arguments: StoreKind.allCases)
  func deletedIsNotNone(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let dog = AnyDog("Rex")
      try store.write {
        let holder = AnyHolder()
        holder.set.insert(.none)
        for number in 0..<1000 { holder.set.insert(.int(number)) }
        store.add(holder)
        store.add(dog)
      }
      try store.write { store.delete(dog) }
      try store.write {
        guard let holder = store.objects(AnyHolder.self).first else { return }
        #expect(!holder.set.contains(.object(dog)))
        holder.set.remove(.object(dog))
        #expect(holder.set.contains(.none) && holder.set.count == 1001)
      }
    }
  }

  @Test("stay in their set when a save gives them a key", arguments: StoreKind.allCases)
  func setKeepsItsKeys(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      let dogs = (0..<40).map { AnyDog("dog \($0)") }
      for dog in dogs {
        holder.set.insert(.object(dog))
        holder.set.insert(.list([.object(dog), .int(1)]))
      }
      try store.write { store.add(holder) }
      for dog in dogs {
        #expect(holder.set.contains(.object(dog)) && holder.set.contains(.list([.object(dog), .int(1)])))
        holder.set.insert(.object(dog))
      }
      #expect(holder.set.count == 80)
      holder.set.remove(.object(dogs[0]))
      #expect(holder.set.count == 79 && !holder.set.contains(.object(dogs[0])))
    }
  }

  @Test("of a set are saved and unsaved ones, in any number", arguments: StoreKind.allCases)
  func mixedSets(_ kind: StoreKind) throws {
    let count = TestEffort.count(100, more: 200)
    try withValueStore(kind, Self.types) { store in
      let saved = (0..<count).map { AnyDog("saved \($0)") }
      try store.write { store.add(saved) }
      let dogs = MutableSet<AnyDog>()
      let values = MutableSet<AnyRealmValue>()
      for dog in saved {
        let unsaved = AnyDog("unsaved")
        dogs.insert(objectsIn: [unsaved, dog])
        values.insert(objectsIn: [.object(unsaved), .object(dog), .list([.object(unsaved), .object(dog)])])
      }
      #expect(dogs.count == 2 * count && values.count == 3 * count)
      #expect(dogs.contains(saved[count / 2]) && values.contains(.object(saved[count / 2])))
      try store.write { store.add(Array(dogs)) }
      for dog in dogs { #expect(dogs.contains(dog) && values.contains(.object(dog))) }
      dogs.insert(objectsIn: saved)
      #expect(dogs.count == 2 * count)
    }
  }

  @Test("are none in the write that deletes them, and do not come back", arguments: StoreKind.allCases)
  func deletedInAWrite(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let holder = AnyHolder()
        holder.value = .object(AnyDog("Rex"))
        store.add(holder)
        store.add(AnyDog("Lulu"))
      }
      func delete(_ holder: AnyHolder) throws {
        let dog = try #require(holder.value.object(AnyDog.self))
        store.delete(dog)
        #expect(holder.value == AnyRealmValue.none)
      }
      var held: AnyHolder?
      try? store.write {
        held = store.objects(AnyHolder.self).first
        try delete(try #require(held))
        try Self.fail()
      }
      #expect(held?.value.object(AnyDog.self)?.name == "Rex")
      try store.write {
        held = store.objects(AnyHolder.self).first
        try delete(try #require(held))
      }
      let holder = try #require(held)
      #expect(holder.value == AnyRealmValue.none)
      // Neither a save nor a copy brings it back.
      let copy = holder.detached()
      try store.write {
        store.add(copy)
        store.add(holder, update: .all)
        store.create(AnyHolder.self, value: holder)
      }
      #expect(store.objects(AnyDog.self).map(\.name) == ["Lulu"])
      #expect(store.objects(AnyHolder.self).map(\.value) == [.none, .none, .none])
    }
  }

  private static func fail() throws { throw CocoaError(.userCancelled) }

  @Test(
    "that are deleted and assigned are saved again where they are added, in any order",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func assignedAfterDeletion(_ kind: StoreKind, ownerFirst: Bool) throws {
    try withValueStore(kind, Self.types) { store in
      let dog = AnyDog("Rex")
      try store.write { store.add(dog) }
      try store.write { store.delete(dog) }
      let holder = AnyHolder()
      holder.value = .object(dog)
      holder.list.append(.object(dog))
      try store.write { store.add(ownerFirst ? [holder, dog] : [dog, holder]) }
      let read = try #require(store.objects(AnyHolder.self).first)
      #expect(
        read.value.object(AnyDog.self)?.name == "Rex" && read.list[0].object(AnyDog.self)?.name == "Rex"
      )
      let error = #expect(throws: FiefError.self) {
        try store.write {
          let dog = try #require(store.objects(AnyDog.self).first)
          store.delete(dog)
          let other = AnyHolder()
          other.value = .object(dog)
          store.add(other)
        }
      }
      #expect(error?.code == .objectNotFound && error?.property == "value" && error?.type == "AnyHolder")
      #expect(store.objects(AnyDog.self).count == 1 && store.objects(AnyHolder.self).count == 1)
    }
  }

  @Test("of other classes do not hinder questions to a collection that no store has")
  func collectionsOfNoStore() {
    let list = List<AnyHolder>()
    let holder = AnyHolder()
    holder.value = .object(AnyNode())
    holder.list.append(.list([.object(AnyDog("Rex"))]))
    list.append(holder)
    #expect(list.where { $0.list.count == 1 }.count == 1)
    #expect(list.where { $0.value == .none }.isEmpty)
  }

  @Test("are released one after another inside of lists and dictionaries")
  func chain() {
    var node = AnyNode()
    for number in 0..<TestEffort.count(30_000, more: 100_000) {
      let next = AnyNode()
      next.next =
        number.isMultiple(of: 2) ? .list([.object(node)]) : .dictionary(["a": .list([.object(node)])])
      node = next
    }
    #expect(node.next.dictionaryValue != nil)
  }
}
