import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Methods of Realm Swift's `ListTests`, `MapTests`, `MutableSetTests`, `MixedCollectionTest` and
/// `ObjectTests`.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct TranslatedCollectionTests {
  /// A holder in a write, or an unsaved holder.
  private func withHolder(_ body: (TranslatedHolder) throws -> Void) throws {
    try body(TranslatedHolder())
    let realm = try TranslatedRealm().realm
    defer { realm.close() }
    try realm.write {
      let holder = TranslatedHolder()
      realm.add(holder)
      try body(holder)
    }
  }

  @Test func fastEnumerationWithMutation() throws {
    try withHolder { holder in
      let (first, second) = (TranslatedText("1"), TranslatedText("2"))
      for _ in 0..<10 { holder.texts.append(objectsIn: [first, second]) }
      var text = ""
      for object in holder.texts {
        text += object.text
        holder.texts.append(objectsIn: [first])
      }
      #expect(text == "12121212121212121212" && holder.texts.count == 40)
      for index in 0...5 { holder.textMap["key\(index)"] = first }
      text = ""
      for entry in holder.textMap {
        text += entry.value?.text ?? "-"
        holder.textMap[entry.key] = second
      }
      #expect(text == "111111" && holder.textMap["key3"]??.text == "2")
    }
  }

  @Test func removeAndMoveOffsets() throws {
    try withHolder { holder in
      let texts = ["1", "2", "3"].map { TranslatedText($0) }
      func shown() -> String { holder.texts.map(\.text).joined() }
      holder.texts.append(objectsIn: texts)
      holder.texts.move(fromOffsets: IndexSet([1]), toOffset: 0)
      #expect(shown() == "213")
      holder.texts.move(fromOffsets: IndexSet([0]), toOffset: 3)
      #expect(shown() == "132")
      holder.texts.move(fromOffsets: IndexSet([0]), toOffset: 1)
      #expect(shown() == "132")
      holder.texts.move(fromOffsets: IndexSet([2]), toOffset: 1)
      #expect(shown() == "123")
      holder.texts.move(fromOffsets: IndexSet([]), toOffset: 1)
      holder.texts.move(fromOffsets: IndexSet([0, 2]), toOffset: 1)
      #expect(shown() == "132")
      holder.texts.remove(atOffsets: [0, 2])
      #expect(shown() == "3")
      holder.texts.remove(atOffsets: [])
      #expect(shown() == "3")
    }
  }

  @Test func embeddedElements() throws {
    try withHolder { holder in
      for number in 0..<10 { holder.parts.append(TranslatedPart(value: [number])) }
      #expect(holder.parts.enumerated().allSatisfy { $0.offset == $0.element.number })
      #expect(holder.parts.allSatisfy { $0.realm == holder.realm })
      let new = TranslatedPart(value: [100])
      holder.parts[0] = new
      #expect(holder.parts[0].isSameObject(as: new) && new.number == 100 && new.realm == holder.realm)
    }
  }

  @Test func unsavedListComparison() {
    let texts = ["5", "6", "8"].map { TranslatedText($0) }
    let lists = [List<TranslatedText>(), List<TranslatedText>(), List<TranslatedText>()]
    #expect(lists[0] == lists[1])
    lists[0].append(objectsIn: texts)
    lists[1].append(objectsIn: texts)
    lists[2].append(objectsIn: texts.prefix(2))
    #expect(lists[0] == lists[1] && lists[0] != lists[2] && lists[0] !== lists[1])
    lists[2].append(texts[2])
    #expect(lists[0] == lists[2])
  }

  @Test func mergedMaps() throws {
    try withHolder { holder in
      let (first, second) = (TranslatedText("1"), TranslatedText("2"))
      holder.textMap["a"] = first
      holder.textMap.merge(["b": second]) { old, _ in
        Issue.record("There is no duplicate.")
        return old
      }
      holder.textMap.merge(["b": first]) { old, _ in old }
      #expect(holder.textMap["b"]??.isSameObject(as: second) == true)
      holder.textMap.merge(["b": first]) { _, new in new }
      #expect(holder.textMap["b"]??.isSameObject(as: first) == true)
      holder.textMap.merge(["a": first]) { _, _ in TranslatedText("c") }
      #expect(holder.textMap.count == 2 && holder.textMap["a"]??.text == "c")
    }
  }

  @Test func deletedObjectInAMap() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      let holder = realm.create(TranslatedHolder.self)
      let text = TranslatedText("1")
      holder.textMap["key"] = text
      #expect(holder.textMap["key"]??.text == "1")
      realm.delete(text)
      #expect((holder.textMap["key"] ?? nil) == nil && holder.textMap.count == 1)
    }
  }

  @Test func mapQueries() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      for keys in [["aKey"], ["aKey2"], ["aKey3"], ["aKey", "aKey4"]] {
        let holder = realm.create(TranslatedHolder.self, value: ["name": keys.joined()])
        for key in keys { holder.textMap[key] = TranslatedText(key) }
      }
    }
    let holders = realm.objects(TranslatedHolder.self)
    #expect(holders.filter("ANY textMap.@allKeys = 'aKey'").count == 2)
    #expect(holders.filter("ANY textMap.@allKeys != 'aKey'").count == 3)
    #expect(holders.filter("ANY textMap.@allKeys =[c] 'akey'").count == 2)
    #expect(holders.filter("ANY textMap.@allKeys !=[c] 'akey'").count == 3)
    #expect(holders.filter("ANY textMap.@allKeys =[cd] 'akéy'").count == 2)
    #expect(holders.filter("ANY textMap.@allKeys !=[cd] 'akéy'").count == 3)
    let last = try #require(holders.first { $0.textMap.count == 2 })
    #expect(last.textMap.sorted(byKeyPath: "text", ascending: false).map { $0.text } == ["aKey4", "aKey"])
    #expect(last.textMap.min(ofProperty: "text") as String? == "aKey")
  }

  @Test func setAlgebra() throws {
    try withHolder { holder in
      let other = TranslatedHolder()
      holder.intSet.insert(objectsIn: [1, 2, 3])
      other.intSet.insert(objectsIn: [2, 3, 4])
      #expect(holder.intSet.intersects(other.intSet) && !holder.intSet.isSubset(of: other.intSet))
      holder.intSet.formIntersection(other.intSet)
      #expect(holder.intSet.sorted() == [2, 3] && holder.intSet.isSubset(of: other.intSet))
      holder.intSet.formUnion(other.intSet)
      #expect(holder.intSet.sorted() == [2, 3, 4])
      other.intSet.remove(4)
      holder.intSet.subtract(other.intSet)
      #expect(holder.intSet.sorted() == [4])
    }
  }

  @Test func reassignedValuesOfAnyType() throws {
    let realm = try TranslatedRealm().realm
    let holder = TranslatedHolder()
    holder.any = AnyRealmValue.fromDictionary(["key1": .string("hello"), "key2": .bool(false)])
    try realm.write { realm.add(holder) }
    #expect(holder.any.dictionaryValue?["key1"] == .string("hello"))
    try realm.write { holder.any = AnyRealmValue.fromDictionary(["key1": .string("adios")]) }
    #expect(
      holder.any.dictionaryValue?["key1"] == .string("adios") && holder.any.dictionaryValue?["key2"] == nil
    )
    try realm.write {
      holder.any = AnyRealmValue.fromArray([.bool(true), .fromDictionary(["key": .int(12)]), .float(13.12)])
    }
    #expect(holder.any.listValue?[1].dictionaryValue?["key"] == .int(12))
    let again = try #require(realm.objects(TranslatedHolder.self).first)
    #expect(again.any == holder.any && again.any.listValue?.count == 3)
  }

  @Test func valuesFromADictionary() {
    let json: [String: Any] = [
      "name": "foo", "texts": [["text": "bar"]], "parts": [["number": 50]], "textSet": [["text": "b"]],
    ]
    let holder = TranslatedHolder()
    for key in json.keys { holder.setValue(json[key], forKey: key) }
    #expect(holder.name == "foo" && holder.texts[0].text == "bar" && holder.parts[0].number == 50)
    #expect(holder.textSet.first?.text == "b")
    for value in [nil, NSNull()] as [Any?] {
      holder.setValue([["text": "bar"]], forKey: "texts")
      holder.setValue(value, forKey: "texts")
      #expect(holder.texts.isEmpty)
    }
  }
}
