import Fief
import Foundation
import Testing

@testable import FiefCore

private enum Wrong {
  final class Part: EmbeddedObject {
    @Persisted var other: Thing?
    override class func relationships() -> [Relationship] { [Relationship("other", isRequired: true)] }
    override class func derivedProperties() -> [DerivedProperty] { [DerivedProperty("other", .lastChange)] }
  }
  final class Thing: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var number = 0
    @Persisted var one: Thing?
    @Persisted var many: List<Thing>
    @Persisted var twice: List<Thing>
    @Persisted var texts: List<String>
    @Persisted var part: Part?
    @Persisted var flag = false
    @Persisted var total = 0
    @Persisted var least = 0
    @Persisted var name = ""
    @Persisted var optionalName: String?
    @Persisted var lower = ""
    @Persisted var time = 0
    @Persisted var rate: Double?
    @Persisted var count = 0

    override class func relationships() -> [Relationship] {
      [
        Relationship("missing"), Relationship("number"), Relationship("texts"), Relationship(\Thing.part),
        Relationship("one", minimum: 2), Relationship("many", minimum: 3, maximum: 2),
        Relationship("twice", isRequired: true, maximum: 0), Relationship("twice"),
        Relationship(\Thing.one?.many),
      ]
    }

    override class func derivedProperties() -> [DerivedProperty] {
      [
        DerivedProperty("missing", .count(of: "many")), DerivedProperty("id", .count(of: "many")),
        DerivedProperty("flag", .count(of: "many")), DerivedProperty("total", .count(of: "number")),
        DerivedProperty("total", .sum(of: "many.name")), DerivedProperty("total", .sum(of: "many")),
        DerivedProperty("least", .min(of: "many.number")),
        DerivedProperty("lower", .lowercased(of: "optionalName")), DerivedProperty("time", .lastChange),
        DerivedProperty("rate", .max(of: \Thing.many, \Thing.number)),
        DerivedProperty("count", .count(of: \Thing.many)), DerivedProperty("count", .count(of: "many")),
      ]
    }
  }
}

private enum First {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var pets: List<Pet>
    @Persisted var home: Pet?
    @Persisted var petCount = 0
  }
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
  }
}

private enum Second {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var pets: List<Pet>
    @Persisted var home: Pet?
    @Persisted var petCount = 0
    override class func relationships() -> [Relationship] {
      [Relationship(\Owner.pets, deleteRule: .cascade, maximum: 2), Relationship("home", isRequired: true)]
    }
  }
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
    override class func relationships() -> [Relationship] { [Relationship("owners", isRequired: true)] }
  }
}

@Suite struct RuleDeclarationTests {
  @Test func everyMistakeIsListed() throws {
    let error = #expect(throws: FiefError.self) {
      try DeclaredSchema(objects: [Wrong.Thing.self], embedded: [Wrong.Part.self], store: "s")
    }
    let expected = [
      "Thing: a relationship is declared for 'missing', which is not a property",
      "Thing.number: Int is not a relationship", "Thing.texts: List<String> is not a relationship",
      "Thing.part: Part? is not a relationship",
      "Thing.one: a single link has at most one object; it supports only isRequired",
      "Thing.many: at least 3 and at most 2 contradict each other",
      "Thing.twice: at least 1 and at most 0 contradict each other",
      "Thing.twice: the rules of the relationship are declared more than once",
      "Thing: relationships() has a key path that is not a persisted property of the class",
      "Thing: a derived property is declared for 'missing', which is not a property",
      "Thing.id: a primary key cannot be derived", "Thing.flag: Bool cannot be a count",
      "Thing.total: Thing.number is not a relationship",
      "Thing.total: a property of Thing is missing",
      "Thing.least: it must be optional because there may be no object",
      "Thing.lower: it must be optional because optionalName is", "Thing.time: Int cannot be a time",
      "Thing.count: it is declared as derived more than once",
      "Thing.total: it is declared as derived more than once",
      "Thing.total: Thing.name is not a number", "Thing.total: Int cannot hold a sum of String",
      "Thing.rate: Double? cannot hold a value of Thing.number, Int",
      "Part: the relationships of an embedded object cannot have rules",
      "Part: a property of an embedded object cannot be derived",
    ]
    let found = error?.details ?? []
    for line in expected { #expect(found.contains(line), "\(line)") }
    for line in found { #expect(expected.contains(line), "\(line)") }
  }

  @Test func theCatalogueKeepsRules() throws {
    let schema = try DeclaredSchema(
      objects: [RuleNode.self, RuleLeaf.self, RuleTeam.self, RulePlayer.self, RuleTrainer.self],
      embedded: [],
      store: "s"
    )
    var catalogue = Catalogue(schemaVersion: 3)
    for descriptor in schema.descriptors { try catalogue.add(descriptor) }
    let bytes = catalogue.encoded()
    #expect(try bytes.withUnsafeBytes { try Catalogue.decode($0) } == catalogue)
    #expect(SchemaComparison.differences(of: schema, from: catalogue).isEmpty)
    let team = try #require(catalogue.type(named: "RuleTeam"))
    #expect(
      team.relationships.map { $0.name(in: team).description }
        == [
          "captain: nullify, required", "players: nullify, 2 to 3", "fans: nullify, at most 1",
          "trainers: nullify, 1 to 2",
        ]
    )
    // An older format has none.
    for format in [UInt32(2), 3, 4] {
      let older = try OldFormat.encoded(catalogue, format).withUnsafeBytes { try Catalogue.decode($0) }
      #expect(older.types.allSatisfy { $0.relationships.isEmpty && $0.derived.isEmpty })
      #expect(older.types.map(\.name) == catalogue.types.map(\.name))
    }
  }

  @Test func rulesAreDifferences() throws {
    let old = try DeclaredSchema(objects: [First.Owner.self, First.Pet.self], embedded: [], store: "s")
    let new = try DeclaredSchema(objects: [Second.Owner.self, Second.Pet.self], embedded: [], store: "s")
    var catalogue = Catalogue(schemaVersion: 1)
    for descriptor in old.descriptors { try catalogue.add(descriptor) }
    #expect(
      SchemaComparison.differences(of: new, from: catalogue).map(\.description) == [
        "Owner.pets now has a rule: cascade, at most 2", "Owner.home now has a rule: nullify, required",
        "Pet.owners now has a rule: nullify, required",
      ]
    )
    var later = Catalogue(schemaVersion: 1)
    for descriptor in new.descriptors { try later.add(descriptor) }
    later.types[0].relationships[0].maximum = 5
    #expect(
      SchemaComparison.differences(of: new, from: later).map(\.description) == [
        "the rule of Owner.pets was changed from 'cascade, at most 5' to 'cascade, at most 2'"
      ]
    )
    #expect(SchemaComparison.differences(of: old, from: later).count == 3)
  }

  @Test func newRulesAreCheckedInTheMigration() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [First.Owner.self, First.Pet.self]).opened { store in
        try store.store().write { transaction in
          let pets = (1...4).map { id -> First.Pet in
            let pet = First.Pet()
            pet.id = id
            return pet
          }
          let owner = First.Owner()
          owner.id = 1
          owner.pets = List(pets.prefix(3))
          try transaction.add(owner)
          try transaction.add(pets[3])
        }
      }
      let types: [Object.Type] = [Second.Owner.self, Second.Pet.self]
      #expect(try MigratingStore(directory, version: 1, types).failure().code == .migrationRequired)
      let error = try MigratingStore(directory, version: 2, types).failure()
      #expect(error.code == .validationFailed && error.store == "migrated")
      #expect(
        error.showingValues().details == [
          "Owner[1].pets: 3 objects, at most 2", "Owner[1].home: required, but nil",
          "Pet[4].owners: 0 objects, at least 1",
        ]
      )
      // The old store is what it was.
      try MigratingStore(directory, version: 1, [First.Owner.self, First.Pet.self]).opened { store in
        let owners = try store.all(First.Owner.self)
        #expect(owners.first?.pets.count == 3)
      }
      // The block obeys the new rules, and makes what they want: a deletion cascades.
      let migrated = MigratingStore(directory, version: 2, types) { migration, _ in
        migration.enumerateObjects(ofType: "Pet") { _, new in
          if let new, new["id"] as? Int == 4 { migration.delete(new) }
        }
        let pets = [8, 9].map { migration.create("Pet", value: ["id": $0]) }
        migration.create("Owner", value: ["id": 2, "pets": pets, "home": pets[0]])
        migration.enumerateObjects(ofType: "Owner") { _, new in
          if let new, new["id"] as? Int == 1 { migration.delete(new) }
        }
      }
      try migrated.opened { store in
        #expect(try store.all(Second.Pet.self).map(\.id) == [8, 9])
        let homes = try store.all(Second.Owner.self).map { $0.home?.id }
        #expect(homes == [8])
        #expect(throws: FiefError.self) {
          try store.store().write { transaction in
            let owner = try #require(try transaction.object(ofType: Second.Owner.self, forPrimaryKey: 2))
            try transaction.delete(try #require(owner.home))
          }
        }
      }
      // The rules are the same without Swift types.
      let dynamic = try DynamicStore(directory: directory + "/migrated", isReadOnly: false)
      #expect(
        dynamic.types.first { $0.name == "Owner" }?.relationships.map(\.description)
          == ["pets: cascade, at most 2", "home: nullify, required"]
      )
      let refused = #expect(throws: FiefError.self) {
        try dynamic.write { try $0.put("Owner", ["id": 3, "pets": [8]]) }
      }
      #expect(refused?.code == .validationFailed)
      try dynamic.write { transaction in
        let isDeleted = try transaction.delete("Owner", forKey: 2)
        #expect(isDeleted)
      }
      #expect(try dynamic.read { try $0.count(of: "Pet") } == 0)
      dynamic.close()
    }
  }
}
