import Fief
import Foundation
import Testing

private enum Apart {
  final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var lives: Int32 = 9
    @Persisted var mother: Cat?
    @Persisted var kittens: List<Cat>
  }
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var chases: Cat?
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var cat: Cat?
    @Persisted var dogs: List<Dog>
    @Persisted var box: Box?
  }
  final class Box: EmbeddedObject {
    @Persisted var sleeper: Cat?
    @Persisted var all: List<Cat>
  }
}

private enum Together {
  final class Animal: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted(indexed: true) var name = ""
    @Persisted var kind = ""
    @Persisted var lives = 1
    @Persisted var mother: Animal?
    @Persisted var kittens: List<Animal>
    @Persisted var chases: Animal?
    @Persisted(originProperty: "cat") var owners: LinkingObjects<Owner>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var cat: Animal?
    @Persisted var dogs: List<Animal>
    @Persisted var box: Box?
  }
  final class Box: EmbeddedObject {
    @Persisted var sleeper: Animal?
    @Persisted var all: List<Animal>
  }
}

private enum Renamed {
  final class Feline: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var lives: Int32 = 9
    @Persisted var mother: Feline?
    @Persisted var kittens: List<Feline>
  }
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var chases: Feline?
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var cat: Feline?
    @Persisted var dogs: List<Dog>
    @Persisted var box: Carton?
  }
  final class Carton: EmbeddedObject {
    @Persisted var sleeper: Feline?
    @Persisted var all: List<Feline>
  }
}

private struct NothingSeen: Error {}

@Suite("Moving objects between types")
struct MovingTests {
  private static func apart(_ directory: String, version: UInt64 = 1, block: MigrationBlock? = nil)
    -> MigratingStore
  {
    MigratingStore(
      directory,
      version: version,
      [Apart.Cat.self, Apart.Dog.self, Apart.Owner.self],
      embedded: [Apart.Box.self],
      block: block
    )
  }

  private static func together(_ directory: String, block: @escaping MigrationBlock) -> MigratingStore {
    MigratingStore(
      directory,
      version: 2,
      [Together.Animal.self, Together.Owner.self],
      embedded: [Together.Box.self],
      block: block
    )
  }

  private func withAnimals(_ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try Self.apart(directory).opened { (store: MigratingStore) throws in
        let cats = (1...4).map { id in
          let cat = Apart.Cat()
          cat.id = id
          cat.name = "Cat \(id)"
          cat.lives = Int32(id)
          return cat
        }
        cats[1].mother = cats[0]
        cats[2].mother = cats[0]
        cats[0].kittens.append(objectsIn: [cats[2], cats[1]])
        let dogs = (1...3).map { id in
          let dog = Apart.Dog()
          dog.id = id
          dog.name = "Dog \(id)"
          dog.chases = cats[id]
          return dog
        }
        let owner = Apart.Owner()
        owner.id = 1
        owner.cat = cats[3]
        owner.dogs.append(objectsIn: [dogs[2], dogs[0]])
        owner.box = Apart.Box()
        owner.box?.sleeper = cats[1]
        owner.box?.all.append(objectsIn: [cats[3], cats[2]])
        try store.store().write { try $0.add([owner] + cats + dogs, update: .all) }
      }
      try body(directory)
    }
  }

  @Test("two types become one, and all links follow, those among the moved objects too")
  func merged() throws {
    try withAnimals { (directory: String) throws in
      let store = Self.together(directory) { (migration: Migration, _: UInt64) throws in
        // The dogs link cats that are moved after them.
        migration.enumerateObjects(ofType: "Dog") { old, new in
          #expect(new == nil)
          guard let old else { return }
          migration.move(old, toType: "Animal", value: ["id": "d\(old["id"] ?? 0)", "kind": "dog"])
        }
        try migration.enumerateObjects(ofType: "Cat") { old, _ in
          guard let old, try old.value("id") != 3 else { return }
          let moved = migration.move(
            old,
            toType: "Animal",
            value: ["id": "c\(old["id"] ?? 0)", "kind": "cat"]
          )
          #expect(migration.movedObject(from: old, toType: "Animal")?.key == moved.key)
        }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(Together.Animal.self) == 6)
        let first = try #require(store.object(ofType: Together.Animal.self, forPrimaryKey: "c1"))
        #expect(first.kittens.map(\.id) == ["c2"], "the third was not moved")
        #expect(first.lives == 1)
        let second = try #require(store.object(ofType: Together.Animal.self, forPrimaryKey: "c2"))
        #expect(second.mother?.id == "c1")
        #expect(second.lives == 2, "an integer is widened")
        #expect(store.object(ofType: Together.Animal.self, forPrimaryKey: "d1")?.chases?.id == "c2")
        #expect(store.object(ofType: Together.Animal.self, forPrimaryKey: "d2")?.chases == nil)
        #expect(store.object(ofType: Together.Animal.self, forPrimaryKey: "d3")?.chases?.id == "c4")
        let owner = try #require(store.object(ofType: Together.Owner.self, forPrimaryKey: 1))
        #expect(owner.cat?.id == "c4")
        #expect(owner.cat?.owners.map(\.id) == [1])
        #expect(owner.dogs.map(\.id) == ["d3", "d1"])
        #expect(owner.box?.sleeper?.id == "c2")
        #expect(owner.box?.all.map(\.id) == ["c4"])
      }
    }
  }

  @Test("one type becomes two by a condition; what the block assigns comes before what would follow")
  func split() throws {
    try withAnimals { (directory: String) throws in
      try Self.together(directory) { (migration: Migration, _: UInt64) throws in
        for (type, letter) in [("Cat", "c"), ("Dog", "d")] {
          migration.enumerateObjects(ofType: type) { old, _ in
            guard let old else { return }
            migration.move(
              old,
              toType: "Animal",
              value: ["id": "\(letter)\(old["id"] ?? 0)", "kind": type]
            )
          }
        }
      }.opened { (store: MigratingStore) throws in #expect(try store.count(Together.Animal.self) == 7) }
      let store = Self.apart(directory, version: 3) { (migration: Migration, _: UInt64) throws in
        try migration.enumerateObjects(ofType: "Animal") { old, new in
          #expect(new == nil)
          guard let old else { return }
          let id = Int(try old.value("id", as: String.self).dropFirst())
          migration.move(old, toType: try old.value("kind"), value: ["id": id ?? 0])
        }
        let first = try migration.oldObject(ofType: "Animal", forPrimaryKey: "c1")
        migration.enumerateObjects(ofType: "Owner") { _, new in new?["cat"] = first }
        let gone = try migration.object(ofType: "Cat", forPrimaryKey: 4)
        if let gone { migration.delete(gone) }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(Apart.Cat.self) == 3)
        #expect(try store.count(Apart.Dog.self) == 3)
        let cat = try #require(store.object(ofType: Apart.Cat.self, forPrimaryKey: 1))
        #expect(cat.kittens.map(\.id) == [3, 2])
        #expect(store.object(ofType: Apart.Dog.self, forPrimaryKey: 2)?.chases?.id == 3)
        #expect(store.object(ofType: Apart.Dog.self, forPrimaryKey: 3)?.chases == nil)
        let owner = try #require(store.object(ofType: Apart.Owner.self, forPrimaryKey: 1))
        #expect(owner.cat?.id == 1)
        #expect(owner.dogs.map(\.id) == [3, 1])
        #expect(owner.box?.all.map(\.id) == [3])
      }
    }
  }

  @Test("from a type that stays: links to it lose what was moved")
  func fromStayingType() throws {
    try withAnimals { (directory: String) throws in
      let store = Self.apart(directory, version: 2) { (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Cat") { _, new in
          if let new, new["id"] as? Int == 2 { migration.move(new, toType: "Dog", value: ["id": 20]) }
        }
      }
      try store.opened { (store: MigratingStore) throws in
        #expect(store.object(ofType: Apart.Dog.self, forPrimaryKey: 20)?.name == "Cat 2")
        #expect(store.object(ofType: Apart.Dog.self, forPrimaryKey: 1)?.chases == nil)
        #expect(store.object(ofType: Apart.Cat.self, forPrimaryKey: 1)?.kittens.map(\.id) == [3])
        #expect(store.object(ofType: Apart.Owner.self, forPrimaryKey: 1)?.box?.sleeper == nil)
      }
    }
  }

  @Test("a type gets another name, with its objects, its links and its keys")
  func renamedType() throws {
    try withAnimals { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [Renamed.Feline.self, Renamed.Dog.self, Renamed.Owner.self],
        embedded: [Renamed.Carton.self]
      ) { (migration: Migration, _: UInt64) throws in
        migration.renameType(from: "Cat", to: "Feline")
        migration.renameType(from: "Box", to: "Carton")
        var names: [String] = []
        migration.enumerateObjects(ofType: "Feline") { old, new in
          names.append(old?["name"] as? String ?? "")
          if let mother = old?["mother"] as? MigrationObject { #expect(mother.typeName == "Cat") }
          new?["mother"] = old?["mother"]
        }
        // The run that ends with the new names has no objects to go through.
        if names.count != 4 { throw NothingSeen() }
      }
      try store.opened { (store: MigratingStore) throws in
        let cat = try #require(store.object(ofType: Renamed.Feline.self, forPrimaryKey: 1))
        #expect(cat.kittens.map(\.id) == [3, 2])
        #expect(store.object(ofType: Renamed.Feline.self, forPrimaryKey: 3)?.mother?.id == 1)
        #expect(store.object(ofType: Renamed.Dog.self, forPrimaryKey: 3)?.chases?.id == 4)
        let owner = try #require(store.object(ofType: Renamed.Owner.self, forPrimaryKey: 1))
        #expect(owner.cat?.id == 4)
        #expect(owner.box?.all.map(\.id) == [4, 3])
      }
    }
  }

  @Test("a name that is not there, or taken, cannot be renamed")
  func wrongRenames() throws {
    try withAnimals { (directory: String) throws in
      for (from, to) in [("Mouse", "Cat"), ("Cat", "Dog"), ("Cat", "Mouse")] {
        let error = try Self.apart(directory, version: 2) { (migration: Migration, _: UInt64) throws in
          migration.renameType(from: from, to: to)
        }.failure()
        #expect(error.code == .unknownType)
      }
      let error = try Self.apart(directory, version: 2) { (migration: Migration, _: UInt64) throws in
        migration.renameProperty(onType: "Cat", from: "name", to: "lives")
      }.failure()
      #expect(error.code == .invalidSchema)
    }
  }
}
