import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Custom types that are stored as embedded objects, as Realm has them")
struct CustomEmbeddedTests {
  private func withStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    let fixture = try StoreFixture(
      TestRepository("places", objectTypes: [PlaceOwner.self]),
      kind
    )
    try body(fixture.store())
    fixture.end()
  }

  private static var wrapped: [String: Any] {
    [
      "id": 1, "place": Place("a", tags: ["x"], number: 3), "given": Place("b"), "optional": Place("c"),
      "list": [Place("d"), Place("e", number: 1)], "map": ["k": Place("f")],
      "optionalMap": ["k": Place("g"), "n": nil] as [String: Place?],
    ]
  }
  private static var raw: [String: Any] {
    [
      "id": 1, "place": ["city": "a", "tags": ["x"], "inner": ["number": 3]] as [String: Any],
      "given": StoredPlace(value: ["b"]), "optional": ["c"],
      "list": [["d"], ["city": "e", "inner": [1]]] as [Any],
      "map": ["k": ["f"]], "optionalMap": ["k": ["g"], "n": NSNull()] as [String: Any],
    ]
  }

  private func check(_ owner: PlaceOwner) {
    #expect(owner.place == Place("a", tags: ["x"], number: 3) && owner.given == Place("b"))
    #expect(owner.optional == Place("c") && Array(owner.list) == [Place("d"), Place("e", number: 1)])
    #expect(owner.map.dictionary == ["k": Place("f")])
    #expect(owner.optionalMap.dictionary == ["k": Place("g"), "n": nil])
  }

  private func checkDefaults(_ owner: PlaceOwner) {
    #expect(owner.place == Place("") && owner.given == Place("given") && owner.optional == nil)
    #expect(owner.list.isEmpty && owner.map.isEmpty && owner.optionalMap.isEmpty && owner.named == nil)
  }

  @Test("are made, created and added with values, and with what is stored", arguments: StoreKind.allCases)
  func making(_ kind: StoreKind) throws {
    checkDefaults(PlaceOwner())
    for values in [Self.wrapped, Self.raw] {
      check(PlaceOwner(value: values))
      check(PlaceOwner(value: PlaceOwner(value: values)))
      try withStore(kind) { store in
        try store.write { check(store.create(PlaceOwner.self, value: values)) }
        check(try #require(store.objects(PlaceOwner.self).first))
      }
      try withStore(kind) { store in
        let owner = PlaceOwner(value: values)
        try store.write { store.add(owner) }
        check(owner)
        check(try #require(store.objects(PlaceOwner.self).first))
        try store.write { store.create(PlaceOwner.self, value: ["id": 2]) }
        checkDefaults(try #require(store.object(ofType: PlaceOwner.self, forPrimaryKey: 2)))
        try store.write { store.create(PlaceOwner.self, value: owner, update: .all) }
        check(try #require(store.object(ofType: PlaceOwner.self, forPrimaryKey: 1)))
      }
    }
  }

  @Test("are made of a new object where they are nil, and are no elements of lists then")
  func nils() throws {
    let owner = PlaceOwner(value: ["place": NSNull(), "given": NSNull(), "optional": NSNull()])
    #expect(owner.place == Place("") && owner.given == Place("") && owner.optional == nil)
    #expect(throws: FiefError.self) { try PlaceOwner(validating: ["list": [NSNull()]]) }
    #expect(throws: FiefError.self) { try PlaceOwner(validating: ["place": 5]) }
  }

  @Test("are changed by assignments, in properties, lists and maps", arguments: StoreKind.allCases)
  func changing(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let owner = PlaceOwner(value: Self.wrapped)
      try store.write { store.add(owner) }
      try store.write {
        owner.place.city = "new"
        owner.optional = nil
        owner.list.append(Place("last", tags: ["y"]))
        owner.list[0] = Place("first")
        owner.list.remove(at: 1)
        owner.map["k"] = Place("changed")
        owner.optionalMap["k"] = .some(nil)
      }
      for owner in [owner, try #require(store.objects(PlaceOwner.self).first)] {
        #expect(owner.place == Place("new", tags: ["x"], number: 3) && owner.optional == nil)
        #expect(Array(owner.list) == [Place("first"), Place("last", tags: ["y"])])
        #expect(owner.list.index(of: Place("first")) == 0 && owner.list.contains(Place("last", tags: ["y"])))
        #expect(owner.map["k"] == Place("changed") && owner.optionalMap["k"] == .some(nil))
      }
      try store.write { store.objects(PlaceOwner.self).first?.list.removeAll() }
      #expect(owner.detached().place.city == "new")
      #expect(store.objects(PlaceOwner.self).first?.list.isEmpty == true)
      try store.write { store.deleteAll() }
    }
  }

  @Test("are asked for by all of what is stored, and by parts of it", arguments: StoreKind.allCases)
  func queries(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      try store.write {
        for id in 1...3 {
          store.create(PlaceOwner.self, value: ["id": id, "optional": ["c\(id)"], "list": [["l\(id)"]]])
        }
      }
      let all = store.objects(PlaceOwner.self)
      #expect(all.filter("optional.city == 'c2'").map(\.id) == [2])
      #expect(all.filter("ANY list.city == 'l3'").map(\.id) == [3])
      #expect(all.where { $0.optional.persistableValue.city == "c2" }.map(\.id) == [2])
      #expect(all.where { $0.place.persistableValue.city == "" }.count == 3)
      let (seven, eight) = (NamedPlace(number: 7), NamedPlace(number: 8))
      try store.write { all.forEach { $0.named = $0.id == 3 ? seven : eight } }
      #expect(
        all.where { $0.named == seven }.map(\.id) == [3]
          && all.where { $0.named != seven }.map(\.id) == [1, 2]
      )
      #expect(
        all.where { $0.named == eight }.count == 2 && all.filter("named == %@", eight as Any).count == 2
      )
      #expect(all.where { $0.named == nil }.isEmpty)
      #expect(throws: FiefError.self) { try all.where { $0.optional == Place("c2") }.fetchCount() }
      #expect(all.filter("optional == nil").isEmpty && all.filter("optional.inner == nil").count == 3)
    }
  }

  @Test("are reported to observers", arguments: StoreKind.allCases)
  func observing(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository("places", objectTypes: [PlaceOwner.self]), kind)
    let store = fixture.store()
    try store.write { store.create(PlaceOwner.self, value: ["id": 1, "optional": ["old"]]) }
    let owner = try #require(store.objects(PlaceOwner.self).first)
    let (changes, continuation) = AsyncStream.makeStream(of: String.self)
    let token = owner.observe { change in
      guard case .change(_, let properties) = change else { return }
      for property in properties {
        let (old, new) = (property.oldValue as? StoredPlace, property.newValue as? StoredPlace)
        continuation.yield("\(property.name) \(old?.city ?? "nil") \(new?.city ?? "nil")")
      }
    }
    try store.write { store.objects(PlaceOwner.self).first?.optional = Place("new") }
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == "optional old new")
    token.invalidate()
    fixture.end()
  }

  @Test("that cannot be made of what is stored are nil, and stay in the store", arguments: StoreKind.allCases)
  func failable(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository("places", objectTypes: [PlaceOwner.self]), kind)
    let store = fixture.store()
    try store.write {
      store.create(PlaceOwner.self, value: ["id": 1, "named": [7]])
      let other = store.create(PlaceOwner.self, value: ["id": 2])
      other.named = NamedPlace(persistedValue: StoredPlaceDetail(value: [8]))
    }
    #expect(store.objects(PlaceOwner.self).map { $0.named?.city } == ["7", "8"])
    try store.write { store.objects(PlaceOwner.self).first?.named?.city = "0" }
    withExpectedEvents {
      #expect(store.objects(PlaceOwner.self).first?.named == nil)
    }
    #expect(store.objects(PlaceOwner.self).filter("named != nil").count == 2)
    fixture.end()
  }

  @Test("have a new id each where they are stored as ids")
  func ids() {
    let (first, second) = (PlaceOwner(), PlaceOwner())
    #expect(first.ownId != second.ownId && first.ownId == first.ownId)
    #expect(first.ownId.id.uuid.6 >> 4 == 4)
  }

  @Test(arguments: StoreKind.allCases) func nilInAMapIsTheValueOfANewObject(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(
        objectTypes: [PlaceOwner.self],
        embedded: [StoredPlace.self, StoredPlaceDetail.self]
      )
      let realm = repository.store()
      let values: [String: Any] = ["map": ["none": NSNull(), "one": Place("Oslo")] as [String: Any]]
      let plain = PlaceOwner(value: values)
      #expect(plain.map["none"]?.city == "" && plain.map["one"]?.city == "Oslo")
      try realm.write { realm.create(PlaceOwner.self, value: values) }
      #expect(realm.objects(PlaceOwner.self).first?.map["none"]?.city == "")
      #expect(throws: FiefError.self) { try PlaceOwner(validating: ["list": [NSNull()]]) }
      #expect(try repository.check().problems == [])
    }
  }
}
