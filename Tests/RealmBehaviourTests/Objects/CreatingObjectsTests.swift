import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Objects from nothing, dictionaries, arrays and other objects; made, created and added.
struct CreatingObjectsTests {
  enum Way: String, CaseIterable {
    case made, created, added
  }

  private func withStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    let types: [Object.Type] = [
      CreatedObject.self, CreatedOptionals.self, CreatedCounter.self, CreatedTarget.self, CreatedSource.self,
      MadeToy.self, MadeDog.self,
    ]
    let fixture = try StoreFixture(TestRepository("created", objectTypes: types), kind)
    try body(fixture.store())
    fixture.end()
  }

  private func with<Element: Object>(
    _ value: Any,
    of make: (Any) -> Element,
    _ way: Way,
    _ kind: StoreKind,
    _ check: (Element) throws -> Void
  ) throws {
    if way == .made { return try check(make(value)) }
    try withStore(kind) { store in
      try store.write {
        if way == .created {
          try check(store.create(Element.self, value: value))
        } else {
          let object = make(value)
          store.add(object)
          try check(object)
        }
      }
      try check(try #require(store.objects(Element.self).first))
      #expect(store.objects(Element.self).count == 1)
    }
  }

  private func expectDefaults(_ object: CreatedObject) {
    #expect(object.bool && object.int == 10 && object.int8 == 8 && object.int16 == 16 && object.int32 == 32)
    #expect(object.int64 == 64 && object.float == 1.5 && object.double == 2.5 && object.text == "text")
    #expect(object.data == Data([1]) && object.date.timeIntervalSince1970 == 1 && object.decimal == 1.25)
    #expect(object.objectId == CreatedObject.id(0) && object.uuid.uuid.0 == 1 && object.any == .none)
    #expect(object.kind == .first && object.color == .red && object.word.text == "word")
    #expect(object.toy == nil && object.tag == nil && object.numbers.isEmpty && object.dates.isEmpty)
    #expect(object.words.isEmpty && object.scores.isEmpty && object.toys.isEmpty && object.kinds.isEmpty)
  }

  private func expectValues(_ object: CreatedObject) {
    #expect(!object.bool && object.int == 11 && object.int8 == 9 && object.int16 == 17 && object.int32 == 33)
    #expect(object.int64 == 65 && object.float == 2.5 && object.double == 3.5 && object.text == "other")
    #expect(object.data == Data([2, 3]) && object.date.timeIntervalSince1970 == 2 && object.decimal == 2.5)
    #expect(object.objectId == CreatedObject.id(200) && object.uuid.uuid.0 == 9)
    #expect(object.any == .string("any") && object.kind == .second && object.color == .green)
    #expect(object.word.text == "made" && object.toy?.name == "ball" && object.tag?.text == "tag")
    #expect(Array(object.numbers) == [1, 2] && Array(object.optionalTexts) == ["a", nil])
    #expect(object.dates.map(\.timeIntervalSince1970) == [5] && Array(object.kinds) == [.second])
    #expect(
      object.words["k"]?.text == "v" && object.scores["a"] == .some(1.5) && object.scores["b"] == .some(nil)
    )
    #expect(object.toys.map(\.name) == ["bone", "rope"])
  }

  @Test(arguments: Way.allCases, StoreKind.allCases) func fromNothing(_ way: Way, _ kind: StoreKind) throws {
    try with([String: Any](), of: CreatedObject.init(value:), way, kind) { expectDefaults($0) }
    try with([Any](), of: CreatedObject.init(value:), way, kind) { expectDefaults($0) }
  }

  @Test(arguments: Way.allCases, StoreKind.allCases) func fromADictionary(_ way: Way, _ kind: StoreKind)
    throws
  {
    let values = Dictionary(uniqueKeysWithValues: CreatedObject.values())
    try with(values, of: CreatedObject.init(value:), way, kind) { expectValues($0) }
  }

  @Test(arguments: Way.allCases, StoreKind.allCases) func fromAnArray(_ way: Way, _ kind: StoreKind) throws {
    try with(CreatedObject.values().map(\.1), of: CreatedObject.init(value:), way, kind) { expectValues($0) }
    try with([false, 5] as [Any], of: CreatedObject.init(value:), way, kind) { object in
      #expect(!object.bool && object.int == 5 && object.int8 == 8 && object.text == "text")
    }
  }

  @Test(arguments: Way.allCases, StoreKind.allCases) func fromAnObject(_ way: Way, _ kind: StoreKind) throws {
    let values = Dictionary(uniqueKeysWithValues: CreatedObject.values())
    try with(CreatedObject(value: values), of: CreatedObject.init(value:), way, kind) { expectValues($0) }
    try with(CreatedObject(), of: CreatedObject.init(value:), way, kind) { expectDefaults($0) }
  }

  /// The object of a store: what it links is linked, what it embeds is copied.
  @Test(arguments: StoreKind.allCases) func fromAnObjectOfTheStore(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let values = Dictionary(uniqueKeysWithValues: CreatedObject.values())
      try store.write { store.create(CreatedObject.self, value: values) }
      let stored = try #require(store.objects(CreatedObject.self).first)
      let made = CreatedObject(value: stored)
      expectValues(made)
      try store.write {
        store.add(made)
        store.create(CreatedObject.self, value: stored)
      }
      #expect(store.objects(CreatedObject.self).count == 3 && store.objects(MadeToy.self).count == 3)
      for object in store.objects(CreatedObject.self) { expectValues(object) }
    }
  }

  @Test(arguments: Way.allCases, StoreKind.allCases) func valuesOfNil(_ way: Way, _ kind: StoreKind) throws {
    let dictionary = Dictionary(uniqueKeysWithValues: CreatedOptionals.names.map { ($0, Int?.none as Any) })
    try with(dictionary, of: CreatedOptionals.init(value:), way, kind) { #expect($0.isNil) }
    try with(dictionary.mapValues { _ in NSNull() }, of: CreatedOptionals.init(value:), way, kind) {
      #expect($0.isNil)
    }
    let array = CreatedOptionals.names.map { _ in NSNull() }
    try with(array, of: CreatedOptionals.init(value:), way, kind) { #expect($0.isNil) }
    try with([String: Any](), of: CreatedOptionals.init(value:), way, kind) {
      #expect(!$0.isNil && $0.int == 1)
    }
    let nothing: [String: Any] = ["toy": NSNull(), "tag": NSNull(), "toys": NSNull(), "words": NSNull()]
    try with(nothing, of: CreatedObject.init(value:), way, kind) { expectDefaults($0) }
  }

  @Test(arguments: StoreKind.allCases) func whatDoesNotFitIsAnError(_ kind: StoreKind) throws {
    let wrong: [(String, Any)] = [
      ("bool", "yes"), ("int", "1"), ("int8", 1000), ("text", 5), ("date", "today"), ("double", "1.5"),
      ("toy", 5), ("toys", 5), ("numbers", ["a"]), ("scores", [1]), ("int", NSNull()), ("nmae", 1),
    ]
    for (name, value) in wrong {
      #expect(throws: FiefError.self) { try CreatedObject(validating: [name: value]) }
      try withStore(kind) { store in
        let error = #expect(throws: FiefError.self) {
          try store.write { store.create(CreatedObject.self, value: [name: value]) }
        }
        #expect(error?.type == "CreatedObject" && error?.property == name)
        #expect(throws: FiefError.self) { try store.write { store.add(CreatedObject(value: [name: value])) } }
        #expect(store.objects(CreatedObject.self).isEmpty)
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func eachNewObjectHasDefaultsOfItsOwn(_ kind: StoreKind) throws {
    let (first, second) = (CreatedCounter(), CreatedCounter())
    #expect(first.id != second.id && first.number != second.number)
    try withStore(kind) { store in
      try store.write {
        let (first, second) = (store.create(CreatedCounter.self), store.create(CreatedCounter.self))
        #expect(first.id != second.id && first.number != second.number)
      }
      #expect(Set(store.objects(CreatedCounter.self).map(\.number)).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func observersOfPropertiesAreCalled(_ kind: StoreKind) throws {
    let object = CreatedCounter()
    object.watched = 1
    try withStore(kind) { store in
      try store.write {
        store.add(object)
        object.watched = 2
      }
      #expect(object.calls == ["0 becomes 1", "0 became 1", "1 becomes 2", "1 became 2"])
      #expect(store.objects(CreatedCounter.self).first?.watched == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func aKeyThatIsStoredCannotBeChanged(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let toy = MadeToy()
      toy.name = "a"
      toy.name = "b"
      let error = #expect(throws: FiefError.self) {
        try store.write {
          store.add(toy)
          toy.name = "c"
        }
      }
      #expect(error?.code == .invalidValue && error?.property == "name")
      #expect(store.objects(MadeToy.self).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func addedCollectionsStayTheSameInstances(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let object = CreatedObject()
      let (numbers, dates, words) = (object.numbers, object.dates, object.words)
      try store.write {
        store.add(object)
        #expect(numbers === object.numbers && dates === object.dates && words === object.words)
        numbers.append(1)
        dates.insert(Date(timeIntervalSince1970: 1))
        words["k"] = CreatedWord("v")
      }
      #expect(numbers === object.numbers && dates === object.dates && words === object.words)
      let found = try #require(store.objects(CreatedObject.self).first)
      #expect(found.numbers.count == 1 && found.dates.count == 1 && found.words["k"]?.text == "v")
    }
  }

  @Test func creatingNeedsAWrite() throws {
    try withStore(.inMemory) { store in
      withExpectedEvents { store.create(CreatedObject.self) }
      withExpectedEvents { store.add(CreatedObject()) }
      #expect(store.objects(CreatedObject.self).isEmpty)
    }
  }
}
