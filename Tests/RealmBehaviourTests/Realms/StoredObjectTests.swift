import FiefRealm
import FiefTesting
import Foundation
import Testing

private class KeyedByInt8: Object {
  @Persisted(primaryKey: true) var id: Int8 = 0
  @Persisted var text = ""
}

private class KeyedByOptional: Object {
  @Persisted(primaryKey: true) var id: Int?
  @Persisted var text = ""
}

private class KeyedByOptionalText: Object {
  @Persisted(primaryKey: true) var id: String?
}

private class KeyedByUUID: Object {
  @Persisted(primaryKey: true) var id = UUID()
}

private class KeyedByObjectId: Object {
  @Persisted(primaryKey: true) var id: ObjectId
}

/// A class with names of columns, indexes and properties that are not stored.
private class NamedInStore: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var amount = 0
  @Persisted var friends: List<NamedInStore>
  @Persisted(originProperty: "friends") var fans: LinkingObjects<NamedInStore>
  var derived: Int { amount * 2 }

  override class func propertiesMapping() -> [String: String] {
    ["amount": "custom_amount", "friends": "custom_friends"]
  }
  override class func indexedProperties() -> [String] { ["amount"] }
}

/// Objects that are added, found and deleted through a realm.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct StoredObjectTests {
  private func open(_ types: [ObjectBase.Type] = [RealmDog.self, RealmCollar.self]) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  @Test func outsideOfAWriteNothingIsChanged() throws {
    let realm = try open()
    defer { realm.close() }
    let dog = RealmDog(value: ["name": "Rex"])
    withExpectedEvents { realm.add(dog) }
    withExpectedEvents { realm.add([dog]) }
    withExpectedEvents { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    #expect(realm.isEmpty)
    try realm.write {
      realm.add(dog)
      realm.add(dog)
      #expect(realm.objects(RealmDog.self).count == 1)
    }
    withExpectedEvents { realm.delete(dog) }
    withExpectedEvents { realm.delete(realm.objects(RealmDog.self)) }
    withExpectedEvents { realm.deleteAll() }
    #expect(realm.objects(RealmDog.self).count == 1)
  }

  @Test func objectsOfOthersAreRefused() throws {
    let (realm, other) = (try open(), try open())
    defer {
      realm.close()
      other.close()
    }
    let dog = RealmDog(value: ["name": "Rex"])
    try realm.write { realm.add(dog) }
    try other.write { other.add(RealmDog(value: ["name": "Rex"])) }
    #expect(errorCode { try other.write { other.add(dog, update: .all) } } == .foreignObject)
    #expect(errorCode { try other.write { other.delete(dog) } } == .foreignObject)
    #expect(errorCode { try realm.write { realm.delete(RealmDog(value: ["name": "Tom"])) } } != nil)
    #expect(realm.objects(RealmDog.self).count == 1 && other.objects(RealmDog.self).count == 1)
  }

  @Test func aWriteReturnsAnObject() throws {
    let realm = try open()
    defer { realm.close() }
    let dog = try realm.write { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    #expect(dog.name == "Rex" && dog.realm == realm)
    try realm.write {
      realm.add(
        [RealmDog(value: ["name": "Tom"]), RealmDog(value: ["name": "Rex", "age": 2])],
        update: .all
      )
      realm.delete(realm.objects(RealmDog.self).filter("age == 2"))
    }
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Tom"])
  }

  @Test func keysAreOfManyTypes() throws {
    let realm = try open([
      KeyedByInt8.self, KeyedByOptional.self, KeyedByOptionalText.self, KeyedByUUID.self,
      KeyedByObjectId.self,
    ])
    defer { realm.close() }
    let (uuid, id) = (UUID(), ObjectId.generate())
    try realm.write {
      realm.create(KeyedByInt8.self, value: [3, "a"])
      realm.create(KeyedByOptional.self, value: [NSNull(), "none"])
      realm.create(KeyedByOptional.self, value: [7, "seven"])
      realm.create(KeyedByOptionalText.self, value: [NSNull()])
      realm.create(KeyedByUUID.self, value: [uuid])
      realm.create(KeyedByObjectId.self, value: [id])
    }
    #expect(realm.object(ofType: KeyedByInt8.self, forPrimaryKey: 3)?.text == "a")
    #expect(realm.object(ofType: KeyedByInt8.self, forPrimaryKey: Int8(4)) == nil)
    #expect(realm.object(ofType: KeyedByOptional.self, forPrimaryKey: 7)?.text == "seven")
    #expect(realm.object(ofType: KeyedByOptional.self, forPrimaryKey: NSNull())?.text == "none")
    #expect(realm.object(ofType: KeyedByOptional.self, forPrimaryKey: nil as Int? as Any)?.text == "none")
    #expect(realm.object(ofType: KeyedByOptionalText.self, forPrimaryKey: NSNull()) != nil)
    #expect(realm.object(ofType: KeyedByUUID.self, forPrimaryKey: uuid) != nil)
    #expect(realm.object(ofType: KeyedByUUID.self, forPrimaryKey: UUID()) == nil)
    #expect(realm.object(ofType: KeyedByObjectId.self, forPrimaryKey: id) != nil)
  }

  @Test func columnsHaveNamesOfTheirOwn() throws {
    let realm = try open([NamedInStore.self])
    defer { realm.close() }
    try realm.write {
      for id in 1...3 { realm.create(NamedInStore.self, value: ["id": id, "amount": id * 10]) }
      let (first, second) = (
        realm.object(ofType: NamedInStore.self, forPrimaryKey: 1),
        realm.object(ofType: NamedInStore.self, forPrimaryKey: 2)
      )
      if let first, let second { first.friends.append(second) }
    }
    let all = realm.objects(NamedInStore.self)
    #expect(all.filter("amount > 10").count == 2 && all.where { $0.amount > 10 }.count == 2)
    #expect(all.filter("custom_amount > 10").count == 2)
    #expect(all.sorted(byKeyPath: "amount", ascending: false).first?.id == 3)
    #expect(all.max(of: \.amount) == 30 && all.sum(of: \.amount) == 60 && all.average(of: \.amount) == 20)
    #expect(all.max(ofProperty: "amount") as Int? == 30)
    #expect(all.index(matching: "amount == 20") == 1)
    #expect(all.filter("ANY friends.amount == 20").count == 1)
    let second = try #require(realm.object(ofType: NamedInStore.self, forPrimaryKey: 2))
    #expect(second.fans.count == 1 && second["amount"] as? Int == 20 && second["custom_amount"] as? Int == 20)
    try realm.write { second["amount"] = 25 }
    #expect(second.amount == 25 && all.filter("amount == 25").count == 1)
    let schema = NamedInStore().objectSchema
    #expect(schema.properties.map(\.columnName) == ["id", "custom_amount", "custom_friends", "fans"])
    #expect(schema["amount"]?.isIndexed == true && schema["derived"] == nil)
    #expect(NamedInStore.indexedProperties() == ["amount"] && Object.indexedProperties() == [])
  }

  @Test func aKeyOfAStoredObjectStays() throws {
    let realm = try open()
    defer { realm.close() }
    let dog = RealmDog(value: ["name": "Rex"])
    dog.name = "Tom"
    try realm.write { realm.add(dog) }
    #expect(errorCode { try realm.write { dog.name = "Max" } } == .invalidValue || dog.realm == nil)
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Tom"])
  }

  @Test func readingOnlyAndWritingAreTwoThings() throws {
    let files = try RealmFiles()
    let realm = try Realm(configuration: files.configuration())
    defer { realm.close() }
    var reading = files.configuration()
    reading.readOnly = true
    #expect(errorCode { _ = try Realm(configuration: reading) } == .cannotOpen)
    #expect(try Realm(configuration: files.configuration()) == realm)
  }
}
