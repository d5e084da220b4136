import Fief
import Foundation
import Testing

private enum Keyed {
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var friend: Dog?
    @Persisted(originProperty: "favourite") var fans: LinkingObjects<Owner>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var favourite: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var walked: MutableSet<Dog>
    @Persisted var byName: Map<String, Dog?>
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }
  final class Home: EmbeddedObject {
    @Persisted var watcher: Dog?
    @Persisted var room: Room?
  }
  final class Room: EmbeddedObject {
    @Persisted var sleepers: List<Dog>
    @Persisted var number = 0
  }
}

private enum ByName {
  final class Dog: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var legs = 4
    @Persisted var friend: Dog?
    @Persisted(originProperty: "favourite") var fans: LinkingObjects<Owner>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var favourite: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var walked: MutableSet<Dog>
    @Persisted var byName: Map<String, Dog?>
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }
  final class Home: EmbeddedObject {
    @Persisted var watcher: Dog?
    @Persisted var room: Room?
  }
  final class Room: EmbeddedObject {
    @Persisted var sleepers: List<Dog>
    @Persisted var number = 0
  }
}

private enum ByUUID {
  final class Dog: Object {
    @Persisted(primaryKey: true) var uid: UUID
    @Persisted var name = ""
    @Persisted var friend: Dog?
  }
}

private enum Keyless {
  final class Dog: Object {
    @Persisted var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var friend: Dog?
  }
}

private enum Compound {
  final class Dog: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(primaryKey: true) var id = 0
    @Persisted var friend: Dog?
  }
}

private enum Text {
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
    @Persisted var friend: Dog?
  }
}

private enum Numbered {
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var friend: Dog?
  }
}

private struct Broken: Error {}

@Suite("A change of the primary key")
struct PrimaryKeyChangeTests {
  private static func old(_ directory: String) -> MigratingStore {
    MigratingStore(
      directory,
      version: 1,
      [Keyed.Dog.self, Keyed.Owner.self],
      embedded: [Keyed.Home.self, Keyed.Room.self]
    )
  }

  /// Dogs 1 to 9 of which each is the friend of the next, and an owner with all kinds of links to them.
  private func withDogs(_ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try Self.old(directory).opened { (store: MigratingStore) throws in
        let dogs = (1...9).map { id in
          let dog = Keyed.Dog()
          dog.id = id
          dog.name = "Dog \(id)"
          return dog
        }
        for (dog, next) in zip(dogs, dogs.dropFirst()) { dog.friend = next }
        let owner = Keyed.Owner()
        owner.id = 1
        owner.favourite = dogs[2]
        owner.dogs.append(objectsIn: [dogs[0], dogs[4], dogs[0]])
        owner.walked.insert(dogs[1])
        owner.walked.insert(dogs[8])
        owner.byName["one"] = dogs[0]
        owner.byName["none"] = .some(nil)
        let home = Keyed.Home()
        home.watcher = dogs[6]
        home.room = Keyed.Room()
        home.room?.number = 7
        home.room?.sleepers.append(objectsIn: [dogs[7], dogs[3]])
        owner.home = home
        let second = Keyed.Home()
        second.watcher = dogs[5]
        owner.homes.append(second)
        try store.store().write { try $0.add([owner] + dogs, update: .all) }
      }
      try body(directory)
    }
  }

  @Test("to another property: all links follow, also inside of embedded objects")
  func otherProperty() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [ByName.Dog.self, ByName.Owner.self],
        embedded: [ByName.Home.self, ByName.Room.self]
      )
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(ByName.Dog.self) == 9)
        let dog = try #require(store.object(ofType: ByName.Dog.self, forPrimaryKey: "Dog 3"))
        #expect(dog.id == 3)
        #expect(dog.legs == 4)
        #expect(dog.friend?.name == "Dog 4")
        #expect(dog.fans.map(\.id) == [1])
        let owner = try #require(store.object(ofType: ByName.Owner.self, forPrimaryKey: 1))
        #expect(owner.favourite?.id == 3)
        #expect(owner.dogs.map(\.id) == [1, 5, 1])
        #expect(Set(owner.walked.map(\.id)) == [2, 9])
        #expect(owner.byName["one"]??.id == 1)
        #expect(owner.byName.keys.sorted() == ["none", "one"])
        #expect(owner.home?.watcher?.id == 7)
        #expect(owner.home?.room?.number == 7)
        #expect(owner.home?.room?.sleepers.map(\.id) == [8, 4])
        #expect(owner.homes.first?.watcher?.id == 6)
        // Later steps work on the new keys.
        try store.store().write { transaction in
          try transaction.delete(
            try #require(try transaction.object(ofType: ByName.Dog.self, forPrimaryKey: "Dog 3"))
          )
        }
        #expect(store.object(ofType: ByName.Owner.self, forPrimaryKey: 1)?.favourite == nil)
      }
    }
  }

  @Test("to values that the block assigns; objects are created, changed and deleted meanwhile")
  func block() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [ByName.Dog.self, ByName.Owner.self],
        embedded: [ByName.Home.self, ByName.Room.self]
      ) { (migration: Migration, _: UInt64) throws in
        try migration.enumerateObjects(ofType: "Dog") { old, new in
          let id = try old?.value("id", as: Int.self) ?? 0
          #expect(new?["id"] as? Int == id, "the old key is a property like any other")
          new?["name"] = "Number \(10 - id)"
          if id == 5, let new { migration.delete(new) }
        }
        let added = migration.create("Dog", value: ["id": 100, "name": "Added"])
        let owner = try migration.object(ofType: "Owner", forPrimaryKey: 1)
        owner?["favourite"] = added
        added["legs"] = 3
        #expect(migration.count(ofType: "Dog") == 9)
        #expect(try migration.object(ofType: "Dog", forPrimaryKey: 4)?["name"] as? String == "Number 6")
        #expect(try migration.oldObject(ofType: "Dog", forPrimaryKey: 5)?["name"] as? String == "Dog 5")
      }
      try store.opened { (store: MigratingStore) throws in
        let names = try store.all(ByName.Dog.self).map(\.name)
        #expect(names.sorted() == ["Added"] + [1, 2, 3, 4, 6, 7, 8, 9].map { "Number \($0)" })
        let owner = try #require(store.object(ofType: ByName.Owner.self, forPrimaryKey: 1))
        #expect(owner.favourite?.name == "Added")
        #expect(owner.favourite?.legs == 3)
        #expect(owner.dogs.map(\.name) == ["Number 9", "Number 9"], "the deleted dog is gone")
        let fourth = try #require(store.object(ofType: ByName.Dog.self, forPrimaryKey: "Number 6"))
        #expect(fourth.friend == nil)
        #expect(store.object(ofType: ByName.Dog.self, forPrimaryKey: "Number 8")?.friend?.id == 3)
      }
    }
  }

  @Test("to a UUID that is not assigned, then to none, to a compound one and to text", arguments: [0, 1])
  func severalChanges(assigned: Int) throws {
    try withDogs { (directory: String) throws in
      let uuid = UUID()
      let second = MigratingStore(directory, version: 2, [ByUUID.Dog.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, new in
          if assigned == 1, old?["id"] as? Int == 4 { new?["uid"] = uuid }
          // A record that is written before its key is known.
          new?["name"] = "\(old?["name"] ?? "")!"
        }
      }
      try second.opened { (store: MigratingStore) throws in
        let dogs = try store.all(ByUUID.Dog.self)
        #expect(Set(dogs.map(\.uid)).count == 9)
        #expect(dogs.contains { $0.uid == uuid } == (assigned == 1))
        #expect(dogs.first { $0.name == "Dog 4!" }?.friend?.name == "Dog 5!")
      }
      try MigratingStore(directory, version: 3, [Keyless.Dog.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { _, new in
          new?["id"] = Int((new?["name"] as? String ?? "").filter(\.isNumber))
        }
      }.opened { (store: MigratingStore) throws in
        let dogs = try store.all(Keyless.Dog.self)
        #expect(dogs.map(\.id).sorted() == Array(1...9))
        #expect(dogs.first { $0.id == 7 }?.friend?.id == 8)
        try store.store().write { try $0.add(Keyless.Dog()) }
        #expect(try store.count(Keyless.Dog.self) == 10)
        try store.store().write { transaction in
          let added = transaction.objects(Keyless.Dog.self).first { $0.id == 0 }
          try transaction.delete(try #require(added))
        }
      }
      try MigratingStore(directory, version: 4, [Compound.Dog.self]).opened {
        (store: MigratingStore) throws in
        let dog = store.object(ofType: Compound.Dog.self, forPrimaryKey: ["Dog 2!", 2] as [Any])
        #expect(dog?.friend?.id == 3)
        #expect(try store.count(Compound.Dog.self) == 9)
      }
      try MigratingStore(directory, version: 5, [Text.Dog.self]) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, new in new?["id"] = "id-\(old?["id"] ?? "?")" }
      }.opened { (store: MigratingStore) throws in
        #expect(store.object(ofType: Text.Dog.self, forPrimaryKey: "id-2")?.friend?.id == "id-3")
      }
    }
  }

  @Test("to a value that two objects have is an error that names both")
  func duplicates() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [ByName.Dog.self, ByName.Owner.self],
        embedded: [ByName.Home.self, ByName.Room.self]
      ) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, new in
          if old?["id"] as? Int == 8 { new?["name"] = "Dog 2" }
        }
      }
      let error = try store.failure()
      #expect(error.code == .duplicatePrimaryKey)
      #expect(error.type == "Dog")
      #expect(error.key == "Dog 2")
      #expect(error.property == "name")
      #expect(error.showingValues().details.prefix(2) == ["old key: 2", "old key: 8"])
      try Self.old(directory).opened { (store: MigratingStore) throws in
        #expect(store.object(ofType: Keyed.Owner.self, forPrimaryKey: 1)?.favourite?.name == "Dog 3")
        #expect(try store.count(Keyed.Dog.self) == 9)
      }
    }
  }

  @Test("from a number to text is done by itself, and all links follow")
  func converted() throws {
    try withDogs { (directory: String) throws in
      try MigratingStore(directory, version: 2, [Text.Dog.self]).opened { (store: MigratingStore) throws in
        #expect(try store.all(Text.Dog.self).map(\.id) == (1...9).map { "\($0)" })
        #expect(store.object(ofType: Text.Dog.self, forPrimaryKey: "2")?.name == "Dog 2")
        #expect(store.object(ofType: Text.Dog.self, forPrimaryKey: "2")?.friend?.id == "3")
      }
    }
  }

  @Test("that is not assigned collides at the class's default, and the error says what to do")
  func unassigned() throws {
    try withDogs { (directory: String) throws in
      try MigratingStore(directory, version: 2, [Text.Dog.self]).opened { (store: MigratingStore) throws in
        #expect(try store.count(Text.Dog.self) == 9)
      }
      // Texts are not converted to numbers, and the keys would be lost.
      let lost = try MigratingStore(directory, version: 3, [Numbered.Dog.self]).failure()
      #expect(lost.code == .migrationFailed)
      #expect(lost.details.contains { $0.hasPrefix("Dog.id was changed from String to Int") }, "\(lost)")
      let store = MigratingStore(directory, version: 3, [Numbered.Dog.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.discard("Dog.id")
      }
      let error = try store.failure()
      #expect(error.code == .duplicatePrimaryKey)
      #expect(error.details.contains { $0.contains("assign id in the migration block") })
    }
  }

  @Test("by assigning to the key of a class that stays as it is")
  func assignment() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [Keyed.Dog.self, Keyed.Owner.self],
        embedded: [Keyed.Home.self, Keyed.Room.self]
      ) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, new in
          // Each takes the key that another one has.
          if let id = old?["id"] as? Int { new?["id"] = 10 - id }
        }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(store.object(ofType: Keyed.Dog.self, forPrimaryKey: 1)?.name == "Dog 9")
        #expect(store.object(ofType: Keyed.Dog.self, forPrimaryKey: 8)?.friend?.id == 7)
        let owner = try #require(store.object(ofType: Keyed.Owner.self, forPrimaryKey: 1))
        #expect(owner.dogs.map(\.name) == ["Dog 1", "Dog 5", "Dog 1"])
        #expect(owner.home?.room?.sleepers.map(\.name) == ["Dog 8", "Dog 4"])
      }
    }
  }

  @Test("is undone by an error at the end of the block")
  func undone() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(directory, version: 2, [Text.Dog.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Dog") { old, new in new?["id"] = "\(old?["id"] ?? "")" }
        throw Broken()
      }
      #expect(try store.failure().underlying is Broken)
      try Self.old(directory).opened { (store: MigratingStore) throws in
        #expect(try store.count(Keyed.Dog.self) == 9)
      }
    }
  }

  @Test("renamed with its property, no object is rewritten")
  func renamedKey() throws {
    try withDogs { (directory: String) throws in
      let store = MigratingStore(directory, version: 2, [Renamed.Dog.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.renameProperty(onType: "Dog", from: "id", to: "number")
        migration.renameProperty(onType: "Dog", from: "friend", to: "pal")
        migration.renameProperty(onType: "Dog", from: "name", to: "callName")
        #expect(try migration.object(ofType: "Dog", forPrimaryKey: 2)?["callName"] as? String == "Dog 2")
        #expect(try migration.oldObject(ofType: "Dog", forPrimaryKey: 2)?["name"] as? String == "Dog 2")
      }
      try store.opened { (store: MigratingStore) throws in
        let dog = try #require(store.object(ofType: Renamed.Dog.self, forPrimaryKey: 5))
        #expect(dog.callName == "Dog 5")
        #expect(dog.pal?.number == 6)
      }
    }
  }
}

private enum Renamed {
  final class Dog: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(indexed: true) var callName = ""
    @Persisted var pal: Dog?
  }
}
