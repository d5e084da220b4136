import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The objects that a migration block makes, reads and assigns.
struct MigratingObjectsTests {
  private typealias Dog = MigratedAfter.Dog
  private typealias Toy = MigratedAfter.Toy
  private typealias Owner = MigratedAfter.Owner

  @Test func objectsFromArraysAndDictionaries() throws {
    let error = try migrating { migration, _ in
      migration.create("Toy", value: ["bone", 5])
      migration.create("Toy", value: ["rope"])
      migration.create("Toy", value: ["name": "ring", "price": 3])
      let any: Any = ["stick", 4] as [Any]
      migration.create("Toy", value: any)
      let values: Any = ["name": "disc"]
      migration.create("Toy", value: values)
      migration.create("Dog")
      migration.create("Dog", value: [] as [Any])
    } _: { store in
      let toys = store.objects(Toy.self).sorted(byKeyPath: "name")
      #expect(toys.map(\.name) == ["ball", "bone", "disc", "ring", "rope", "stick"])
      #expect(toys.map(\.price) == [1, 5, 1, 3, 1, 4])
      #expect(store.objects(Dog.self).map(\.name) == ["Rex", "no name", "no name"])
    }
    #expect(error == nil)
  }

  @Test func valuesOfTheClassesOwnTypes() throws {
    let error = try migrating { migration, _ in
      let home = try #require(URL(string: "https://example.org"))
      let values: [String: Any] = [
        "name": "made", "size": MigratedSize.large, "word": MigratedWord(persistedValue: "word"),
        "home": home, "sizes": [MigratedSize.small, .large], "numbers": List([1, 2]),
        "words": Set(["a", "b"]),
        "scores": ["x": 1],
      ]
      migration.create("Dog", value: values)
      migration.enumerateObjects(ofType: "Dog") { old, new in
        guard old != nil else { return }
        new?["size"] = MigratedSize.large
        new?["word"] = MigratedWord(persistedValue: "assigned")
        let optional: MigratedSize? = .large
        new?["size"] = optional
      }
    } _: { store in
      let made = try #require(store.objects(Dog.self).where { $0.name == "made" }.first)
      #expect(made.size == .large && made.word.text == "word" && made.home?.host == "example.org")
      #expect(Array(made.sizes) == [.small, .large] && Array(made.numbers) == [1, 2])
      #expect(Set(made.words) == ["a", "b"] && made.scores["x"] == 1)
      let rex = try #require(store.objects(Dog.self).where { $0.name == "Rex" }.first)
      #expect(rex.size == .large && rex.word.text == "assigned")
    }
    #expect(error == nil)
  }

  @Test func linksToObjectsOfTheClasses() throws {
    let error = try migrating { migration, _ in
      let bone = Toy(value: ["name": "bone", "price": 5])
      bone.next = Toy(value: ["name": "rope"])
      bone.next?.next = bone
      migration.enumerateObjects(ofType: "Dog") { _, new in
        new?["toy"] = bone
        new?["toys"] = [bone, Toy(value: ["name": "ring"])]
        new?["toysByName"] = ["k": bone]
        let tag = MigratedAfter.Tag(value: ["text": "tag"])
        tag.toy = bone
        new?["tag"] = tag
        new?["tags"] = [MigratedAfter.Tag(), tag]
        #expect((new?["toy"] as? MigrationObject)?["price"] as? Int == 5)
      }
      migration.create("Owner", value: Owner(value: ["id": 1, "dog": ["name": "copied", "toy": bone]]))
    } _: { store in
      let rex = try #require(store.objects(Dog.self).where { $0.name == "Rex" }.first)
      #expect(rex.toy?.name == "bone" && rex.toy?.next?.name == "rope" && rex.toy?.next?.next?.name == "bone")
      #expect(rex.toys.map(\.name) == ["bone", "ring"] && rex.toysByName["k"]??.name == "bone")
      #expect(rex.tag?.text == "tag" && rex.tag?.toy?.price == 5)
      #expect(rex.tags.map(\.text) == ["default", "tag"])
      #expect(store.objects(Toy.self).count == 4)
      let owner = try #require(store.objects(Owner.self).first)
      #expect(owner.dog?.name == "copied" && owner.dog?.toy?.name == "bone")
      #expect(owner.dog?.owners.count == 1)
    }
    #expect(error == nil)
  }

  @Test func whatCannotBeMadeFailsTheMigration() throws {
    let blocks: [(FiefError.Code, MigrationBlock)] = [
      (.unknownType, { migration, _ in migration.create("NoSuchType") }),
      (
        .invalidValue,
        { migration, _ in migration.create("Toy", value: ["a", 1, nil, 3] as [Any?] as [Any]) }
      ),
      (.invalidValue, { migration, _ in migration.create("Toy", value: 5) }),
      (.duplicatePrimaryKey, { migration, _ in migration.create("Toy", value: ["ball"]) }),
      (
        .duplicatePrimaryKey,
        { migration, _ in
          migration.enumerateObjects(ofType: "Dog") { $1?["toy"] = Toy(value: ["name": "ball"]) }
        }
      ),
      (
        .invalidValue,
        { migration, _ in
          migration.enumerateObjects(ofType: "Dog") { $1?["toy"] = Owner(value: ["id": 5]) }
        }
      ),
    ]
    for (code, block) in blocks {
      #expect(try migrating(block) { _ in Issue.record("The migration has not failed.") }?.code == code)
    }
  }

  @Test func propertiesAreMembers() throws {
    let error = try migrating { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, new in
        #expect(old?.name as? String == "Rex" && old?.age as? Int == 7)
        #expect(new?.age as? Double == 7)
        new?.age = 8
        new?.name = "changed"
        #expect((old?.toy as? MigrationObject)?.name as? String == "ball")
      }
    } _: { store in
      #expect(store.objects(Dog.self).map(\.age) == [8] && store.objects(Dog.self).map(\.name) == ["changed"])
    }
    #expect(error == nil)
  }

  @Test func aTypeThatThereIsNotHasNoObjects() throws {
    let events = try withExpectedEvents {
      let error = try migrating { migration, _ in
        migration.enumerateObjects(ofType: "Nothing") { _, _ in Issue.record("There is no such type.") }
        migration.enumerateObjects(ofType: "Dog") { _, new in new?["name"] = "seen" }
      } _: { store in
        #expect(store.objects(Dog.self).map(\.name) == ["seen"])
      }
      #expect(error == nil)
    }
    #expect(events.map { $0.failure?.code } == [.unknownType])
    #expect(events.first?.failure?.type == "Nothing")
  }

  @Test func theSchemas() throws {
    let error = try migrating { migration, version in
      #expect(version == 1)
      let (old, new) = (migration.oldSchema, migration.newSchema)
      #expect(old.objectSchema.map(\.className) == ["Dog", "Toy"])
      #expect(new.objectSchema.map(\.className) == ["Dog", "Owner", "Tag", "Toy"])
      #expect(old["Dog"]?["age"]?.type.kind == .int64 && new["Dog"]?["age"]?.type.kind == .double)
      #expect(old["Owner"] == nil && old["Dog"]?["size"] == nil && old["Dog"]?.primaryKeyProperty == nil)
      #expect(new["Owner"]?.primaryKeyProperty?.name == "id" && new["Toy"]?.properties.count == 3)
    } _: { _ in
    }
    #expect(error == nil)
  }
}
