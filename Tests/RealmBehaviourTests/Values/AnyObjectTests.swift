import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

@Suite("Objects in values of any type as Realm has them")
struct AnyObjectTests {
  private static let types: [Object.Type] = [AnyHolder.self, AnyDog.self, AnyNode.self]

  @Test("are added with their owner, and are read with their class", arguments: StoreKind.allCases)
  func property(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      holder.value = .object(AnyDog("Rex"))
      #expect(holder.value.object(AnyDog.self)?.name == "Rex")
      #expect(holder.value.object(AnyNode.self) == nil && holder.value.object(Object.self) != nil)
      try store.write { store.add(holder) }
      #expect(store.objects(AnyDog.self).map(\.name) == ["Rex"])
      let read = try #require(store.objects(AnyHolder.self).first)
      #expect(read.value.object(AnyDog.self)?.name == "Rex")
      #expect(read.value.dynamicObject?["name"] as? String == "Rex")
      #expect(read.value == holder.value && read.value != .string("Rex"))
      if case .object(let object) = read.value {
        #expect(object is AnyDog)
      } else {
        Issue.record("no object")
      }
      // Another object, of another class, and none.
      try store.write { read.value = .object(AnyNode()) }
      #expect(store.objects(AnyHolder.self).first?.value.object(AnyNode.self) != nil)
      try store.write { read.value = .none }
      #expect(store.objects(AnyHolder.self).first?.value == AnyRealmValue.none)
      #expect(store.objects(AnyDog.self).count == 1)
    }
  }

  @Test("are changed in a write through the value", arguments: StoreKind.allCases)
  func changing(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      try store.write {
        holder.value = .object(AnyDog("Rex"))
        store.add(holder)
      }
      try store.write { holder.value.object(AnyDog.self)?.name = "Lulu" }
      let read = try #require(store.objects(AnyHolder.self).first)
      try store.write { read.value.object(AnyDog.self)?.age = 3 }
      let dog = try #require(store.objects(AnyDog.self).first)
      #expect(dog.name == "Lulu" && dog.age == 3 && store.objects(AnyDog.self).count == 1)
    }
  }

  @Test("are elements of collections, and inside of lists and dictionaries", arguments: StoreKind.allCases)
  func collections(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let (rex, lulu) = (AnyDog("Rex"), AnyDog("Lulu"))
      let holder = AnyHolder()
      try store.write {
        store.add(holder)
        holder.list.append(objectsIn: [.object(rex), .int(1), .object(lulu), .object(rex)])
        holder.set.insert(objectsIn: [.object(rex), .object(lulu), .object(rex), .none])
        holder.map["dog"] = .object(lulu)
        holder.value = .list([.object(rex), .dictionary(["dog": .object(lulu)])])
      }
      #expect(store.objects(AnyDog.self).count == 2)
      let read = try #require(store.objects(AnyHolder.self).first)
      #expect(read.list.map { $0.object(AnyDog.self)?.name } == ["Rex", nil, "Lulu", "Rex"])
      #expect(read.list.index(of: .object(lulu)) == 2 && read.list.contains(.object(rex)))
      #expect(read.set.count == 3 && read.set.contains(.object(rex)) && read.set.contains(.none))
      #expect(read.map["dog"]?.object(AnyDog.self)?.name == "Lulu")
      #expect(read.value.listValue?[0].object(AnyDog.self)?.name == "Rex")
      #expect(read.value.listValue?[1].dictionaryValue?["dog"]?.object(AnyDog.self)?.name == "Lulu")
      #expect(read.value == .list([.object(rex), .dictionary(["dog": .object(lulu)])]))
    }
  }

  @Test("are elements of a large list", arguments: StoreKind.allCases)
  func large(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let dogs = (0..<1000).map { AnyDog("dog \($0)") }
      let holder = AnyHolder()
      try store.write {
        holder.list.append(objectsIn: dogs.map { .object($0) })
        store.add(holder)
      }
      try store.write { store.objects(AnyHolder.self).first?.list.append(.object(dogs[7])) }
      try store.write { store.delete(dogs[3]) }
      let list = try #require(store.objects(AnyHolder.self).first).list
      #expect(list.count == 1001 && list[1000].object(AnyDog.self)?.name == "dog 7")
      #expect(list[3] == AnyRealmValue.none && list[999].object(AnyDog.self)?.name == "dog 999")
    }
  }

  @Test("that are new are added by a change of a large collection", arguments: StoreKind.allCases)
  func newInLarge(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      try store.write {
        for number in 0..<1000 {
          holder.list.append(.string("element \(number)"))
          holder.set.insert(.string("element \(number)"))
          holder.map["\(number)"] = .string("element \(number)")
        }
        store.add(holder)
      }
      try store.write {
        guard let holder = store.objects(AnyHolder.self).first else { return }
        let dog = AnyDog("Rex")
        holder.list.insert(.object(dog), at: 500)
        holder.set.insert(.object(dog))
        holder.map["dog"] = .list([.object(dog)])
      }
      let read = try #require(store.objects(AnyHolder.self).first)
      let dog = try #require(store.objects(AnyDog.self).first)
      #expect(store.objects(AnyDog.self).count == 1 && read.list[500].object(AnyDog.self) == dog)
      #expect(read.set.contains(.object(dog)) && read.set.count == 1001)
      #expect(read.map["dog"]?.listValue?.first?.object(AnyDog.self)?.name == "Rex")
      try store.write { read.set.remove(.object(dog)) }
      #expect(store.objects(AnyHolder.self).first?.set.count == 1000)
    }
  }

  @Test("are found among others", arguments: StoreKind.allCases)
  func finding(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let (rex, lulu) = (AnyDog("Rex"), AnyDog("Lulu"))
      try store.write {
        store.add(lulu)
        for value in [AnyRealmValue.object(rex), .object(lulu), .int(1), .none] {
          let holder = AnyHolder()
          holder.value = value
          holder.list.append(objectsIn: [value, .string("a")])
          holder.map["key"] = value
          store.add(holder)
        }
      }
      let holders = store.objects(AnyHolder.self)
      #expect(
        holders.filter("value IN %@", [rex]).count == 1
          && holders.filter("value IN %@", [rex, lulu]).count == 2
      )
      #expect(
        holders.filter("ANY list == %@", rex).count == 1 && holders.filter("ANY map == %@", lulu).count == 1
      )
      #expect(
        holders.filter("map['key'] == %@", rex).count == 1
          && holders.where { $0.list.contains(.object(lulu)) }.count == 1
      )
      #expect(holders.filter("value == 1").count == 1 && holders.filter("value > 0").count == 1)
      #expect(holders.distinct(by: [\.value]).count == 4)
      let events = withExpectedEvents { #expect(holders.filter("value > %@", rex).isEmpty) }
      #expect(events.map { $0.failure?.code } == [.invalidQuery])
    }
  }

  @Test("may lead to each other in a circle", arguments: StoreKind.allCases)
  func circles(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let (first, second) = (AnyNode(), AnyNode())
        (first.name, second.name) = ("first", "second")
        store.add(first)
        first.next = .object(second)
        second.next = .object(first)
        first.others.append(.object(first))
        first.plain = [.object(second)]
      }
      let node = try #require(store.objects(AnyNode.self).where { $0.name == "first" }.first)
      let back = try #require(node.next.object(AnyNode.self)?.next.object(AnyNode.self))
      #expect(back.name == "first" && back == node)
      #expect(node.others[0].object(AnyNode.self)?.plain.first?.object(AnyNode.self)?.name == "second")
      #expect(node.description.contains("first"))
      try store.read { _ in
        let node = try #require(store.objects(AnyNode.self).where { $0.name == "first" }.first)
        let back = node.next.object(AnyNode.self)?.next.object(AnyNode.self)
        #expect(back?.name == "first" && node.description.contains("first"))
      }
    }
  }

  @Test("that were deleted are none, for readers and in queries", arguments: StoreKind.allCases)
  func deleting(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let holder = AnyHolder()
      let dog = AnyDog("Rex")
      try store.write {
        store.add(dog)
        store.add(holder)
        holder.value = .list([.object(dog)])
        let other = AnyHolder()
        other.value = .object(dog)
        store.add(other)
      }
      let holders = store.objects(AnyHolder.self)
      #expect(holders.where { $0.value == .none }.isEmpty)
      #expect(holders.where { $0.value == .object(dog) }.count == 1)
      #expect(holders.filter("value == %@", dog).count == 1 && holders.filter("value != %@", dog).count == 1)
      try store.write { store.delete(dog) }
      #expect(holders.where { $0.value == .none }.count == 1 && holders.filter("value == nil").count == 1)
      #expect(holders.filter("value != nil").count == 1)
      #expect(holders.filter("value == nil").first?.value == AnyRealmValue.none)
      #expect(holders.filter("value != nil").first?.value.listValue == [.none])
      // An owner that is written again does not bring it back.
      try store.write { for holder in store.objects(AnyHolder.self) { holder.list.append(1) } }
      #expect(store.objects(AnyDog.self).isEmpty && holders.where { $0.value == .none }.count == 1)
    }
  }

  @Test("that nothing has read stay when their owner is saved", arguments: StoreKind.allCases)
  func unread(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let node = AnyNode()
        node.next = .object(AnyDog("Rex"))
        node.plain = [.object(AnyDog("Lulu"))]
        node.part = AnyPart()
        node.part?.value = .object(AnyDog("Fido"))
        store.add(node)
      }
      let node = try #require(store.objects(AnyNode.self).first)
      node.name = "new"
      try store.write { store.add(node, update: .all) }
      let read = try #require(store.objects(AnyNode.self).first)
      #expect(read.name == "new" && read.next.object(AnyDog.self)?.name == "Rex")
      #expect(read.plain.first?.object(AnyDog.self)?.name == "Lulu")
      #expect(read.part?.value.object(AnyDog.self)?.name == "Fido")
      let copy = read.detached()
      #expect(copy.next.object(AnyDog.self)?.name == "Rex" && copy.next != read.next)
    }
  }

  @Test("are ordered, selected and made from values", arguments: StoreKind.allCases)
  func values(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      let dog = AnyDog("Rex")
      try store.write {
        store.add(dog)
        store.create(AnyHolder.self, value: ["value": dog])
        store.create(AnyHolder.self, value: ["value": [dog, 1]])
        store.create(AnyHolder.self, value: ["value": "text", "list": [dog, "a"]])
      }
      let sorted = store.objects(AnyHolder.self).sorted(by: \.value)
      #expect(sorted.count == 3 && sorted[0].value == .string("text"))
      let selected = Array(sorted.value(of: \.value))
      #expect(selected.contains(.object(dog)) && selected.contains(.list([.object(dog), .int(1)])))
      #expect(sorted[0].list.first?.object(AnyDog.self)?.name == "Rex")
      #expect(store.objects(AnyDog.self).count == 1)
      try store.write { store.create(AnyHolder.self, value: sorted[0]) }
      #expect(store.objects(AnyHolder.self).count == 4 && store.objects(AnyDog.self).count == 1)
    }
  }

  @Test(
    "of another store, and of a class that the store does not have, are refused",
    arguments: StoreKind.allCases
  )
  func foreign(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try withValueStore(kind, [AnyDog.self]) { other in
        let dog = AnyDog("Rex")
        try other.write { other.add(dog) }
        let holder = AnyHolder()
        holder.value = .object(dog)
        #expect { try store.write { store.add(holder) } } throws: {
          ($0 as? FiefError)?.code == .foreignObject
        }
        holder.value = .object(IdHolder())
        #expect { try store.write { store.add(holder) } } throws: {
          ($0 as? FiefError)?.code == .unknownType
        }
      }
      #expect(store.objects(AnyHolder.self).isEmpty)
    }
  }

  @Test("of a class that the repository does not declare are read all the same")
  func undeclared() throws {
    func repository(_ types: [Object.Type]) -> TestRepository {
      TestRepository("any objects", memoryType: .inMemory(identifier: "any objects"), objectTypes: types)
    }
    let (all, part) = (repository(Self.types), repository([AnyHolder.self]))
    defer { all.close() }
    try all.store().write {
      let holder = AnyHolder()
      holder.value = .object(AnyDog("Rex"))
      all.store().add(holder)
    }
    let realm = part.store()
    let holder = try #require(realm.objects(AnyHolder.self).first)
    #expect(holder.value.dynamicObject?["name"] as? String == "Rex")
    try realm.write { holder.list.append(holder.value) }
    #expect(all.store().objects(AnyHolder.self).first?.list.first?.object(AnyDog.self)?.name == "Rex")
  }

  @Test("are released one after another, however long their chain is")
  func chain() {
    var node = AnyNode()
    for _ in 0..<TestEffort.count(30_000, more: 200_000) {
      let next = AnyNode()
      next.next = .object(node)
      node = next
    }
    #expect(node.next.object(AnyNode.self) != nil)
  }

  @Test("have no form in a document", arguments: StoreKind.allCases)
  func documents(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let node = AnyNode()
        node.next = .object(AnyDog("Rex"))
        store.add(node)
      }
      let node = try #require(store.objects(AnyNode.self).first)
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(node.next) }
    }
  }
}

final class AnyDog: Object {
  @Persisted var name: String
  @Persisted var age: Int

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class AnyNode: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var name: String
  @Persisted var next: AnyRealmValue
  @Persisted var others: List<AnyRealmValue>
  @Persisted var plain: [AnyRealmValue]
  @Persisted var part: AnyPart?
}

final class AnyPart: EmbeddedObject {
  @Persisted var value: AnyRealmValue
}
