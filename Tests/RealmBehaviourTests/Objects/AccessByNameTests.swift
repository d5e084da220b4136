import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class NamedHouse: EmbeddedObject {
  @Persisted var street = ""
}

private final class NamedPart: Object {
  @Persisted var title = ""
  @Persisted(originProperty: "part") var wholes: LinkingObjects<NamedWhole>
}

private final class NamedWhole: Object {
  @Persisted var count = 0
  @Persisted var note: String?
  @Persisted var part: NamedPart?
  @Persisted var parts: List<NamedPart>
  @Persisted var partSet: MutableSet<NamedPart>
  @Persisted var partMap: Map<String, NamedPart?>
  @Persisted var house: NamedHouse?

  var plain = 1

  override class func propertiesMapping() -> [String: String] { ["count": "the_count", "part": "a_part"] }
}

private enum NamedSize: String, PersistableEnum { case small, large }

private struct NamedCents: CustomPersistable, Hashable {
  var amount: Int
  init(persistedValue: Int) { amount = persistedValue }
  var persistableValue: Int { amount }
}

private final class NamedValues: Object {
  @Persisted var bool = true
  @Persisted var int8: Int8 = 5
  @Persisted var int16: Int16? = 6
  @Persisted var int32: Int32 = 7
  @Persisted var int64: Int64 = 8
  @Persisted var float: Float = 0.5
  @Persisted var double = 2.0
  @Persisted var size = NamedSize.large
  @Persisted var optionalSize: NamedSize?
  @Persisted var cents = NamedCents(persistedValue: 9)
  @Persisted var any = AnyRealmValue.int(10)
}

/// A class as older code for Realm declares it, of which nothing would be stored.
private final class UnstoredWhole: Object {
  var title = ""
  let parts = List<NamedPart>()
}

private final class BareWhole: Object {}

/// Properties by their names, and the names of properties by their key paths.
struct AccessByNameTests {
  private func withWhole(_ kind: StoreKind, _ body: (Realm, NamedWhole) throws -> Void) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [NamedWhole.self, NamedPart.self])
      let realm = repository.store()
      try realm.write {
        let part = NamedPart(value: ["title": "wheel"])
        let whole = NamedWhole(value: ["count": 5])
        realm.add(whole)
        whole.part = part
        whole.parts.append(part)
        whole.partSet.insert(part)
        whole.partMap["a"] = part
        whole.house = NamedHouse(value: ["street": "Elm"])
      }
      try body(realm, #require(realm.objects(NamedWhole.self).first))
      #expect(try repository.check().problems == [])
    }
  }

  @Test(arguments: StoreKind.allCases) func everyKindOfPropertyIsRead(_ kind: StoreKind) throws {
    try withWhole(kind) { _, whole in
      let part = try #require(whole["part"] as? NamedPart)
      #expect(part.isSameObject(as: whole.part) && whole["count"] as? Int == 5 && whole["note"] == nil)
      #expect((whole["parts"] as? List<NamedPart>)?[0].title == "wheel")
      #expect((whole["partSet"] as? MutableSet<NamedPart>)?.contains(part) == true)
      #expect((whole["partMap"] as? Map<String, NamedPart?>)?.count == 1)
      #expect((whole["house"] as? NamedHouse)?.street == "Elm")
      let wholes = try #require(part["wholes"] as? LinkingObjects<NamedWhole>)
      #expect(wholes.count == 1 && wholes.first?.count == 5)
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesHaveTheFormsOfRealms(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [NamedValues.self])
      let realm = repository.store()
      let unsaved = NamedValues()
      try realm.write { realm.add(NamedValues()) }
      for object in [unsaved, try #require(realm.objects(NamedValues.self).first)] {
        for (name, number) in [
          ("int8", 5), ("int16", 6), ("int32", 7), ("int64", 8), ("cents", 9), ("any", 10),
        ] {
          #expect(object[name] as? Int == number && object[name] as? Int8 == Int8(number), "\(name)")
          #expect(object.value(forKey: name) as? Int64 == Int64(number), "\(name)")
        }
        #expect(object["bool"] as? Bool == true)
        #expect(object["float"] as? Double == 0.5 && object["float"] as? Float == 0.5)
        #expect(object["double"] as? Double == 2 && object["double"] as? Int == 2)
        #expect(object["size"] as? String == "large" && object.value(forKey: "size") as? String == "large")
        #expect(object["optionalSize"] == nil)
      }
      let found = realm.objects(NamedValues.self)
      #expect(found.value(forKey: "size") as? [String] == ["large"])
      #expect(found.value(forKey: "int8") as? [Int] == [5])
      try realm.write {
        let object = try #require(found.first)
        object["optionalSize"] = NamedSize.small
        object["size"] = "small"
        object["int8"] = NSNumber(value: 100)
        object["any"] = AnyRealmValue.none
      }
      let changed = try #require(found.first)
      #expect(changed["optionalSize"] as? String == "small" && changed.size == .small && changed.int8 == 100)
      #expect(changed["any"] == nil)
      #expect(try repository.check().problems == [])
    }
  }

  @Test(arguments: StoreKind.allCases) func renamedPropertiesHaveBothNames(_ kind: StoreKind) throws {
    try withWhole(kind) { realm, whole in
      #expect(whole["the_count"] as? Int == 5 && whole["a_part"] is NamedPart)
      try realm.write {
        whole["count"] = 6
        whole["note"] = "new"
        whole["a_part"] = nil
      }
      let stored = try #require(realm.objects(NamedWhole.self).first)
      #expect(stored.count == 6 && stored.note == "new" && stored.part == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func embeddedObjectsAreAssigned(_ kind: StoreKind) throws {
    try withWhole(kind) { realm, whole in
      try realm.write {
        whole["house"] = NamedHouse(value: ["street": "Oak"])
        (whole["house"] as? NamedHouse)?["street"] = "Ash"
      }
      #expect(realm.objects(NamedWhole.self).first?.house?.street == "Ash")
      try realm.write { whole["house"] = nil }
      #expect(realm.objects(NamedWhole.self).first?.house == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func aClassOfWhichNothingIsStoredIsRefused(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let error = try #require(throws: FiefError.self) {
        try TestRepository(objectTypes: [UnstoredWhole.self]).open()
      }
      #expect(error.code == .invalidSchema)
      #expect(error.details.contains { $0.contains("UnstoredWhole") && $0.contains("'title'") })
      try TestRepository(objectTypes: [BareWhole.self]).open()
    }
  }

  @Test func keyPathsHaveNames() {
    #expect(_name(for: \NamedWhole.count) == "count" && _name(for: \NamedWhole.part?.title) == "part.title")
    #expect(
      _name(for: \NamedWhole.parts) == "parts" && _name(for: \NamedWhole.house?.street) == "house.street"
    )
    #expect(_name(for: \NamedPart.wholes) == "wholes" && _name(for: \NamedHouse.street) == "street")
    #expect(_name(for: \NamedWhole.plain) == "" && _name(for: \NamedWhole.parts[0].title) == "")
  }
}
