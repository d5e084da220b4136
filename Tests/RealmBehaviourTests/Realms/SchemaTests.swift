import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The classes of a store as values.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct SchemaTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool = true) throws -> Realm {
    var configuration = files.configuration()
    configuration.objectTypes = [RealmDog.self, RealmCollar.self, RealmToy.self]
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration)
  }

  @Test(arguments: [false, true]) func aStoreHasItsClasses(inMemory: Bool) throws {
    let (realm, other) = (try open(inMemory), try open())
    defer {
      realm.close()
      other.close()
    }
    let schema = realm.schema
    #expect(schema.objectSchema.map(\.className) == ["RealmCollar", "RealmDog", "RealmToy"])
    #expect(schema["RealmToy"]?.className == "RealmToy" && schema["Object"] == nil && schema["Other"] == nil)
    #expect(schema == other.schema && schema == realm.schema)
    #expect(schema.description.hasPrefix("Schema {\n\tRealmCollar {\n\t\tcolor {\n\t\t\ttype = string;\n"))
    #expect(schema["RealmCollar"]?.isEmbedded == true && schema["RealmDog"]?.isEmbedded == false)
  }

  @Test func aClassHasItsProperties() throws {
    let schema = RealmToy().objectSchema
    #expect(
      schema.properties.map(\.name) == [
        "id", "title", "weight", "owner", "friends", "tags", "prices", "collars", "collar", "code",
      ]
    )
    #expect(schema.objectClass == RealmToy.self && schema["unsaved"] == nil)
    #expect(schema.primaryKeyProperty?.name == "id" && RealmCollar().objectSchema.primaryKeyProperty == nil)
    #expect(schema == RealmToy.sharedSchema() && schema != RealmDog.sharedSchema())
    #expect(
      Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil && ObjectBase.sharedSchema() == nil
    )
  }

  @Test func aPropertySaysWhatItIs() throws {
    let schema = RealmToy().objectSchema
    func property(_ name: String) throws -> Property { try #require(schema[name]) }
    #expect(
      try property("id").type == .int && property("code").type == .UUID && property("weight").type == .double
    )
    #expect(try property("owner").type == .object && property("tags").type == .string)
    #expect(try property("id").isIndexed && property("title").isIndexed && !property("weight").isIndexed)
    #expect(try property("id").isPrimaryKey && !property("title").isPrimaryKey)
    #expect(
      try property("weight").isOptional && property("owner").isOptional && !property("title").isOptional
    )
    #expect(try property("collar").isOptional && !property("friends").isOptional)
    #expect(try property("friends").isArray && property("tags").isSet && property("prices").isMap)
    #expect(try !property("owner").isArray && !property("friends").isSet && !property("tags").isMap)
    #expect(try property("friends").objectClassName == "RealmDog" && property("tags").objectClassName == nil)
    #expect(try property("title").columnName == "name" && property("id").columnName == "id")
    #expect(try property("id") == property("id") && property("id") != property("title"))
    #expect(
      try property("owner").description == """
        owner {
        \ttype = object;
        \tobjectClassName = RealmDog;
        \tlinkOriginPropertyName = (null);
        \tcolumnName = owner;
        \tindexed = NO;
        \tisPrimary = NO;
        \tarray = NO;
        \tset = NO;
        \tdictionary = NO;
        \toptional = YES;
        }
        """
    )
  }

  @Test(arguments: [false, true]) func typesAreValues(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write {
      realm.create(RealmDog.self, value: ["name": "Rex", "age": 3])
      realm.create(RealmDog.self, value: ["name": "Tom", "age": 1])
      realm.create(RealmToy.self, value: ["id": 1, "title": "ball"])
    }
    let types: [Object.Type] = [RealmDog.self, RealmToy.self]
    #expect(types.map { realm.objects($0).count } == [2, 1])
    let dogs = realm.objects(types[0])
    #expect(dogs.filter("age > %@", 2).map { $0["name"] as? String } == ["Rex"])
    #expect(dogs.sorted(byKeyPath: "age").map { $0["name"] as? String } == ["Tom", "Rex"])
    #expect(dogs.max(ofProperty: "age") as Int? == 3)
    #expect(dogs.first is RealmDog && Array(dogs.freeze()).allSatisfy { $0 is RealmDog })
    #expect(realm.object(ofType: types[0], forPrimaryKey: "Rex")?["age"] as? Int == 3)
    #expect(realm.objects(type(of: RealmDog(value: ["name": "x"]))).count == 2)
    let events = withExpectedEvents { #expect(realm.objects(Object.self).isEmpty) }
    #expect(!events.isEmpty)
    try realm.write { realm.delete(dogs) }
    #expect(realm.objects(RealmDog.self).isEmpty && realm.objects(RealmToy.self).count == 1)
  }

  @Test(arguments: [false, true]) func objectsHaveValuesByName(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write {
      let toy = realm.dynamicCreate("RealmToy", value: ["id": 1, "title": "ball", "tags": ["round"]])
      #expect(toy["title"] as? String == "ball")
      toy["weight"] = 2.5
    }
    #expect(realm.dynamicObjects("RealmToy").count == 1 && realm.dynamicObjects("RealmDog").isEmpty)
    let toy = try #require(realm.dynamicObjects("RealmToy").first)
    #expect(
      toy["weight"] as? Double == 2.5 && (toy["tags"] as? MutableSet<String>)?.contains("round") == true
    )
    #expect(toy["name"] as? String == "ball" && toy.objectSchema == RealmToy.sharedSchema())
    #expect(realm.dynamicObject(ofType: "RealmToy", forPrimaryKey: 1) == toy)
    #expect(realm.dynamicObject(ofType: "RealmToy", forPrimaryKey: 2) == nil)
    let events = withExpectedEvents {
      #expect(realm.dynamicObjects("Toy").isEmpty)
      #expect(realm.dynamicObject(ofType: "RealmCollar", forPrimaryKey: 1) == nil)
    }
    #expect(events.map { $0.failure?.code } == [.unknownType, .unknownType])
    #expect(throws: FiefError.self) { try realm.dynamicObjects("Toy").fetchCount() }
    var toys: [Int] = []
    for toy in realm.dynamicObjects("RealmToy").filter("name == 'ball'") {
      toys.append(toy["id"] as? Int ?? 0)
    }
    #expect(toys == [1])
  }
}
