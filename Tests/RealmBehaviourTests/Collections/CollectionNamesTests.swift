import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class NamedPet: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name: String?
  @Persisted var friends: List<NamedPet>
  @Persisted var things: List<AnyRealmValue>
  @Persisted var weights: Map<String, Int>
}

/// Names of Realm's collections, objects and schemas.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct CollectionNamesTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [NamedPet.self])
    )
    try realm.write { [realm] in
      let rex = realm.create(NamedPet.self, value: ["id": 1, "name": "Rex"])
      rex.friends.append(realm.create(NamedPet.self, value: ["id": 2]))
      rex.things.append(objectsIn: [.int(1), .string("a"), .none])
    }
  }

  @Test func valuesAreObjectsIfTheContextAsksForThem() throws {
    let pets = realm.objects(NamedPet.self).sorted(byKeyPath: "id")
    let names: [AnyObject] = pets.value(forKey: "name")
    #expect(names.count == 2 && names[0] as? String == "Rex" && names[1] is NSNull)
    let ids: [AnyObject] = pets.value(forKey: "id")
    #expect(ids as? [Int] == [1, 2])
    let things: [AnyObject] = try #require(pets.first).things.value(forKey: "self")
    #expect(things[0] as? Int == 1 && things[1] as? String == "a" && things[2] is NSNull)
    // Without a context they are values.
    let values = pets.value(forKey: "id")
    #expect(values as? [Int] == [1, 2] && type(of: values) == [Any].self)
    realm.close()
  }

  @Test func aValueOfAMapIsAnObjectIfItsKeyIsOne() {
    let pet = NamedPet()
    pet.weights["spring"] = 3
    #expect(pet.weights.object(forKey: "spring" as NSString as AnyObject) as? Int == 3)
    #expect(pet.weights.object(forKey: "autumn" as NSString as AnyObject) == nil)
    #expect(pet.weights.object(forKey: "spring") == 3)
    realm.close()
  }

  @Test func resultsAreEncodedAsAnArray() throws {
    let data = try JSONEncoder().encode(realm.objects(NamedPet.self).where { $0.id == 2 })
    let pets = try JSONDecoder().decode([NamedPet].self, from: data)
    #expect(pets.map(\.id) == [2] && pets[0].name == nil)
    realm.close()
  }

  @Test func aListOfAFrozenObjectThaws() throws {
    let rex = try #require(realm.object(ofType: NamedPet.self, forPrimaryKey: 1))
    let (live, frozen) = (rex.friends, rex.freeze().friends)
    #expect(frozen.isFrozen && live.thaw() === live)
    try realm.write { rex.friends.removeAll() }
    let thawed = try #require(frozen.thaw())
    #expect(!thawed.isFrozen && thawed.isEmpty && frozen.count == 1)
    try realm.write { realm.delete(rex) }
    #expect(frozen.thaw() == nil)
    realm.close()
  }

  @Test func aHiddenCollectionThaws() throws {
    let rex = try #require(realm.object(ofType: NamedPet.self, forPrimaryKey: 1))
    let list = AnyRealmCollection(rex.freeze().friends)
    let results = AnyRealmCollection(realm.objects(NamedPet.self).freeze())
    #expect(list.isFrozen && results.isFrozen)
    try realm.write {
      rex.friends.removeAll()
      realm.create(NamedPet.self, value: ["id": 3])
    }
    let (thawedList, thawedResults) = (try #require(list.thaw()), try #require(results.thaw()))
    #expect(!thawedList.isFrozen && thawedList.isEmpty && list.count == 1)
    #expect(!thawedResults.isFrozen && thawedResults.count == 3 && results.count == 2)
    #expect(AnyRealmCollection(rex.friends).thaw()?.isEmpty == true)
    try realm.write { realm.delete(rex) }
    #expect(list.thaw() == nil)
    realm.close()
  }

  @Test func valuesAreAssignedByNames() throws {
    let pet = NamedPet()
    pet.setValuesForKeys(["id": 3, "name": "Tom"])
    #expect(pet.id == 3 && pet.name == "Tom")
    pet.setValuesForKeys(["name": NSNull()])
    #expect(pet.name == nil)
    realm.close()
  }

  @Test func typesHaveRealmsNumbers() {
    #expect(PropertyType.object.rawValue == 7 && PropertyType.UUID.rawValue == 12)
    #expect(Set(PropertyType.allCases.map(\.rawValue)) == Set(0...12))
    realm.close()
  }
}
