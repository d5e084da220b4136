import FiefRealm
import FiefTesting
import Foundation
import Testing

final class SectionedBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var words: List<String>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var flags: List<Bool>
  @Persisted var blobs: List<Data>
  @Persisted var maybes: List<Bool?>
  @Persisted var doubles: List<Double>
}

/// Sections of single values that are frozen, thawed and observed, and sections of frozen results in the order of the keys.
@Suite(.timeLimit(.minutes(20)))
struct ValueSectionTests {
  private func withBox(_ kind: StoreKind, _ body: (Realm, SectionedBox) throws -> Void) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [SectionedBox.self])
      let realm = repository.store()
      try realm.write {
        let values: [String: Any] = [
          "words": ["fig", "apple", "pear", "plum"], "numbers": [12, 3, 5], "flags": [true, false, true],
          "blobs": [Data([2, 1]), Data([1]), Data([2])], "maybes": [true, nil, false],
          "doubles": [1.5, Double.nan, 1.0],
        ]
        realm.create(SectionedBox.self, value: values)
      }
      try body(realm, try #require(realm.objects(SectionedBox.self).first))
      #expect(try repository.check().problems == [])
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesOfAllTypesHaveSections(_ kind: StoreKind) throws {
    try withBox(kind) { _, box in
      #expect(box.flags.sectioned(by: { $0 }).map { Array($0) } == [[false], [true, true]])
      #expect(box.flags.sectioned(by: { $0 }, ascending: false).allKeys == [true, false])
      let blobs = box.blobs.sectioned(by: { $0.first ?? 0 })
      #expect(blobs.map { Array($0) } == [[Data([1])], [Data([2]), Data([2, 1])]])
      #expect(box.maybes.sectioned(by: { $0 == nil }).map { Array($0) } == [[nil], [false, true]])
    }
  }

  @Test(arguments: StoreKind.allCases) func collectionsWhoseTypeIsHiddenHaveSections(_ kind: StoreKind) throws
  {
    try withBox(kind) { _, box in
      let words = AnyRealmCollection(box.words).sectioned(by: { String($0.prefix(1)) }, ascending: false)
      #expect(words.allKeys == ["p", "f", "a"] && words[0].count == 2)
      let maybes = AnyRealmCollection(box.maybes).sectioned(by: { $0 == nil })
      #expect(maybes.map { Array($0) } == [[nil], [false, true]])
      #expect(AnyRealmCollection(box.numbers).sum() == 20)
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfValuesAreFrozenAndThawed(_ kind: StoreKind) throws {
    try withBox(kind) { realm, box in
      let sections = box.words.sectioned(by: { String($0.prefix(1)) })
      let frozen = sections.freeze()
      #expect(!sections.isFrozen && frozen.isFrozen && frozen == sections && frozen.freeze() == frozen)
      try realm.write { box.words.append("nut") }
      #expect(frozen.allKeys == ["a", "f", "p"])
      let thawed = try #require(frozen.thaw())
      #expect(!thawed.isFrozen && thawed.allKeys == ["a", "f", "n", "p"] && sections.thaw() == thawed)
      try realm.write { realm.deleteAll() }
      #expect(frozen.thaw() == nil && frozen.count == 3)
      #expect(List(["a"]).sectioned(by: { $0 }).thaw() == nil)
    }
  }

  private func text<Value>(_ change: SectionedResultsChange<SectionedValues<String, Value>>) -> String {
    switch change {
    case .initial(let sections): "initial \(sections.allKeys)"
    case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
      "\(sections.allKeys) \(deletions.map(Array.init)) \(insertions.map(Array.init)) \(modifications.count)"
        + " \(Array(inserted)) \(Array(deleted))"
    case .error(let error): "error \((error as? FiefError)?.code.rawValue ?? "\(error)")"
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfValuesAreObserved(_ kind: StoreKind) throws {
    try withBox(kind) { realm, box in
      let told = Tellings()
      let sections = box.words.sectioned(by: { String($0.prefix(1)) })
      let token = sections.observe { told.take(text($0)) }
      #expect(told.next() == #"initial ["a", "f", "p"]"#)
      try realm.write { box.words.append("peach") }
      #expect(told.next() == #"["a", "f", "p"] [] [[2, 0]] 0 [] []"#)
      try realm.write { box.words[0] = "nut" }
      #expect(told.next() == #"["a", "n", "p"] [] [[1, 0]] 0 [1] [1]"#)
      try realm.write { box.words.removeAll { $0.hasPrefix("p") && $0 != "plum" } }
      #expect(told.next() == #"["a", "n", "p"] [[2, 0], [2, 1]] [] 0 [] []"#)
      token.invalidate()
      let numbers = box.numbers.sectioned(by: { "\($0 / 10)" }, ascending: false)
      let other = numbers.observe { told.take(text($0)) }
      #expect(told.next() == #"initial ["1", "0"]"#)
      try realm.write { box.numbers.insert(4) }
      #expect(told.next() == #"["1", "0"] [] [[1, 1]] 0 [] []"#)
      other.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func numbersThatAreNoneStayTheSame(_ kind: StoreKind) throws {
    try withBox(kind) { realm, box in
      let told = Tellings()
      let token = box.doubles.sectioned(by: { $0.isNaN ? "none" : "number" }).observe { told.take(text($0)) }
      #expect(told.next().hasPrefix("initial"))
      try realm.write { box.words.append("other") }
      try realm.write { box.doubles.append(2) }
      #expect(told.next().hasSuffix("0 [] []"))
      token.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func whatCannotBeObservedIsAnError(_ kind: StoreKind) throws {
    try withBox(kind) { realm, box in
      let told = Tellings()
      let sections = box.words.sectioned(by: { String($0.prefix(1)) })
      try realm.write { realm.deleteAll() }
      let tokens = [
        sections.freeze().observe { told.take(text($0)) },
        List(["a"]).sectioned(by: { $0 }).observe { told.take(text($0)) },
        sections.observe { told.take(text($0)) },
      ]
      #expect(
        Set((0..<3).map { _ in told.next() }) == [
          "error invalidValue", "error foreignObject", "error objectNotFound",
        ]
      )
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test(arguments: StoreKind.allCases) func frozenResultsHaveSectionsInTheOrderOfTheKeys(_ kind: StoreKind)
    throws
  {
    try withPersons(kind) { realm in
      let frozen = try realm.objects(ViewedPerson.self).sorted(byKeyPath: "age").fetchFrozen()
      try realm.write { realm.add(ViewedPerson("Dan", "Moor", age: 1, city: "Lima")) }
      let sections = frozen.sectioned(by: \.firstName)
      #expect(sections.isFrozen && sections.allKeys == ["Ann", "Bob", "Cid"])
      #expect(frozen.sectioned(by: \.firstName, ascending: false).allKeys == ["Cid", "Bob", "Ann"])
      #expect(sections[1][0].firstName == "Bob" && sections.thaw().allKeys == ["Ann", "Bob", "Cid", "Dan"])
      let thawed = frozen.sectioned(by: \.firstName, ascending: false).thaw()
      #expect(!thawed.isFrozen && thawed.allKeys == ["Dan", "Cid", "Bob", "Ann"])
      let views = realm.objects(PersonView.self).sorted(by: \.years).freeze()
      let viewed = views.sectioned(by: \.firstName, ascending: false)
      #expect(viewed.isFrozen && viewed.allKeys == ["Dan", "Cid", "Bob", "Ann"])
      #expect(viewed[1][0].firstName == "Cid" && viewed.thaw().allKeys == viewed.allKeys)
      #expect(views.sectioned(by: \.lastNameCaps).allKeys == ["HILL", "LAKE", "MOOR", "SNOW"])
      #expect(viewed[0].thaw()?.key == "Dan")
    }
  }
}
