import Fief
import Foundation
import Testing

private enum Before {
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var friend: AnyRealmValue
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var part: Part?
  }
  final class Part: EmbeddedObject {
    @Persisted var value: AnyRealmValue
  }
}

private enum ByName {
  final class Dog: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var name = ""
    @Persisted var friend: AnyRealmValue
  }
}

private enum MovedTwice {
  final class Animal: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
  }
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
  }
}

private enum Moved {
  final class Animal: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
    @Persisted var friend: AnyRealmValue
  }
}

@Suite("Objects in values of any type, in migrations")
struct AnyObjectMigrationTests {
  /// Dogs 1 to 3 of which each has the next as its friend, and an owner who has them in every place.
  private func withDogs(large: Bool = false, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 1,
        [Before.Dog.self, Before.Owner.self],
        embedded: [Before.Part.self]
      )
      try store.opened { (store: MigratingStore) throws in
        let dogs = (1...3).map { id in
          let dog = Before.Dog()
          dog.id = id
          dog.name = "Dog \(id)"
          return dog
        }
        dogs[0].friend = .object(dogs[1])
        dogs[1].friend = .object(dogs[2])
        let owner = Before.Owner()
        owner.value = .object(dogs[0])
        owner.list.append(objectsIn: [
          .list([.object(dogs[1]), .int(1)]), .dictionary(["a": .object(dogs[2])]),
        ])
        if large { for _ in 0..<1000 { owner.list.append(.object(dogs[0])) } }
        owner.part = Before.Part()
        owner.part?.value = .object(dogs[2])
        try store.store().write { try $0.add([owner] + dogs, update: .all) }
      }
      try body(directory)
    }
  }

  @Test("follow where the primary key becomes another property", arguments: [false, true])
  func rekeyed(large: Bool) throws {
    try withDogs(large: large) { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [ByName.Dog.self, Before.Owner.self],
        embedded: [Before.Part.self]
      )
      try store.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Before.Owner.self, forPrimaryKey: 0))
        let dog = try #require(owner.value.object(ByName.Dog.self))
        #expect(dog.name == "Dog 1" && dog.id == 1)
        #expect(dog.friend.object(ByName.Dog.self)?.friend.object(ByName.Dog.self)?.name == "Dog 3")
        #expect(owner.list[0].listValue?.first?.object(ByName.Dog.self)?.name == "Dog 2")
        #expect(owner.list[0].listValue?.last == .int(1))
        #expect(owner.list[1].dictionaryValue?["a"]?.object(ByName.Dog.self)?.name == "Dog 3")
        #expect(owner.part?.value.object(ByName.Dog.self)?.name == "Dog 3")
        #expect(owner.list.count == (large ? 1002 : 2))
        if large { #expect(owner.list[1001].object(ByName.Dog.self)?.id == 1) }
        try store.store().read { read in
          let found = read.objects(Before.Owner.self).where { $0.value == .object(dog) }
          #expect(found.count == 1)
        }
      }
    }
  }

  @Test("follow where they move to another type, and are none where they are gone")
  func moved() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [Moved.Animal.self, Before.Owner.self],
        embedded: [Before.Part.self]
      ) { (migration: Migration, _: UInt64) throws in
        try migration.enumerateObjects(ofType: "Dog") { old, _ in
          guard let old, try old.value("id") != 3 else { return }
          migration.move(old, toType: "Animal", value: ["id": "d\(old["id"] ?? 0)"])
        }
      }
      try store.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Before.Owner.self, forPrimaryKey: 0))
        #expect(owner.value.object(Moved.Animal.self)?.id == "d1")
        #expect(owner.value.object(Moved.Animal.self)?.friend.object(Moved.Animal.self)?.id == "d2")
        #expect(owner.list[0].listValue?.first?.object(Moved.Animal.self)?.name == "Dog 2")
        #expect(owner.list[1].dictionaryValue?["a"] == AnyRealmValue.none)
        #expect(owner.part?.value == AnyRealmValue.none)
      }
    }
  }

  @Test("follow where they move to one type after another")
  func movedTwice() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [MovedTwice.Animal.self, MovedTwice.Pet.self, Before.Owner.self],
        embedded: [Before.Part.self]
      ) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, _ in
          guard let old else { return }
          let id = "d\(old["id"] ?? 0)"
          let animal = migration.move(old, toType: "Animal", value: ["id": id])
          if id != "d3" { migration.move(animal, toType: "Pet", value: ["id": "p" + id]) }
        }
      }
      try store.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Before.Owner.self, forPrimaryKey: 0))
        #expect(owner.value.object(MovedTwice.Pet.self)?.id == "pd1")
        #expect(owner.list[0].listValue?.first?.object(MovedTwice.Pet.self)?.name == "Dog 2")
        #expect(owner.list[1].dictionaryValue?["a"]?.object(MovedTwice.Animal.self)?.id == "d3")
      }
    }
  }

  @Test("that a block has read are refused by another store")
  func kept() throws {
    final class Values: @unchecked Sendable {
      var all: [AnyRealmValue] = []
    }
    let read = Values()
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [ByName.Dog.self, Before.Owner.self],
        embedded: [Before.Part.self]
      ) { (migration: Migration, _: UInt64) throws in
        try migration.enumerateObjects(ofType: "Owner") { old, _ in
          guard let old, let value = try old.value("value", as: AnyRealmValue.self) as AnyRealmValue? else {
            return
          }
          read.all = [value, AnyRealmValue.list([value])]
        }
      }
      try store.opened { (_: MigratingStore) throws in }
    }
    #expect(read.all.count == 2)
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 1,
        [Before.Dog.self, Before.Owner.self],
        embedded: [Before.Part.self]
      )
      try store.opened { (store: MigratingStore) throws in
        for value in read.all {
          let owner = Before.Owner()
          owner.id = 7
          owner.value = value
          var code: FiefError.Code?
          do { try store.store().write { try $0.add(owner) } } catch { code = (error as? FiefError)?.code }
          #expect(code == .foreignObject)
        }
        #expect(store.object(ofType: Before.Owner.self, forPrimaryKey: 7) == nil)
      }
    }
  }

  @Test("keep what a block reads and assigns")
  func blocks() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [Before.Dog.self, Before.Owner.self],
        embedded: [Before.Part.self]
      ) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Owner") { old, new in
          guard let old, let new else { return }
          new["list"] = [old["value"]]
        }
      }
      try store.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Before.Owner.self, forPrimaryKey: 0))
        #expect(owner.list.count == 1 && owner.list.first?.object(Before.Dog.self)?.name == "Dog 1")
      }
    }
  }
}
