import FiefRealm
import FiefTesting
import Testing

final class PlacedAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted(originProperty: "home") var residents: LinkingObjects<PlacedPerson>
  @Persisted(originProperty: "work") var workers: LinkingObjects<PlacedPerson>
  @Persisted(originProperty: "former") var formers: LinkingObjects<PlacedPerson>
  @Persisted(originProperty: "named") var named: LinkingObjects<PlacedPerson>
  @Persisted(originProperty: "address") var shops: LinkingObjects<PlacedShop>
}

final class PlacedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var home: PlacedAddress?
  @Persisted var work: PlacedAddress?
  @Persisted var former: List<PlacedAddress>
  @Persisted var named: Map<String, PlacedAddress?>
}

final class PlacedShop: Object {
  @Persisted var address: PlacedAddress?
}

/// Inverses in embedded objects: the object that has them.
struct EmbeddedInverseTests {
  private func withStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    let repository = TestRepository("placed", objectTypes: [PlacedPerson.self, PlacedShop.self])
    let fixture = try StoreFixture(repository, kind)
    let store = fixture.store()
    try store.write {
      let values: [String: Any] = [
        "id": 1, "home": ["street": "a"], "former": [["street": "b"], ["street": "c"]],
        "named": ["k": ["street": "d"]],
      ]
      store.create(PlacedPerson.self, value: values)
      store.create(PlacedPerson.self, value: ["id": 2, "work": ["street": "a"]])
      store.create(PlacedShop.self, value: ["address": ["street": "s"]])
    }
    try body(store)
    fixture.end()
  }

  @Test(arguments: StoreKind.allCases) func leadToTheOwner(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let person = try #require(store.object(ofType: PlacedPerson.self, forPrimaryKey: 1))
      let home = try #require(person.home)
      #expect(home.residents.count == 1 && home.residents.first?.id == 1)
      #expect(home.workers.isEmpty && home.formers.isEmpty && home.named.isEmpty && home.shops.isEmpty)
      #expect(person.former.map { $0.formers.first?.id } == [1, 1])
      #expect(person.former.allSatisfy { $0.residents.isEmpty })
      #expect(person.named["k"]??.named.map(\.id) == [1])
      #expect(home.residents.where { $0.id == 1 }.count == 1 && home.residents.where { $0.id == 2 }.isEmpty)
      #expect(home.residents.contains(person))
      #expect(store.objects(PlacedShop.self).first?.address?.shops.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func ownersThatNothingHolds(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      func home(_ id: Int) -> PlacedAddress? {
        store.object(ofType: PlacedPerson.self, forPrimaryKey: id)?.home
      }
      #expect(home(1)?.residents.map(\.id) == [1] && home(1)?.workers.count == 0)
      let work = try #require(store.object(ofType: PlacedPerson.self, forPrimaryKey: 2)?.work)
      #expect(work.workers.map(\.id) == [2] && work.residents.isEmpty)
      let former = try #require(store.objects(PlacedPerson.self).first?.former.last)
      #expect(former.street == "c" && former.formers.map(\.id) == [1])
      try store.write { store.delete(store.objects(PlacedPerson.self)) }
      #expect(work.workers.isEmpty && former.formers.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func inWrites(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let address = PlacedAddress(value: ["street": "new"])
      try store.write {
        let person = store.create(PlacedPerson.self, value: ["id": 3])
        person.work = address
        #expect(address.workers.map(\.id) == [3] && address.residents.isEmpty)
        let new = PlacedAddress()
        person.former.append(new)
        #expect(new.formers.first === person)
        person.former.removeAll()
        #expect(new.formers.isEmpty)
      }
      #expect(address.workers.map(\.id) == [3])
      let person = try #require(store.object(ofType: PlacedPerson.self, forPrimaryKey: 1))
      let home = try #require(person.home)
      try store.write { person.home = nil }
      #expect(home.residents.isEmpty)
    }
  }

  @Test func declarationsAreChecked() throws {
    let repository = TestRepository(
      "wrong",
      memoryType: .inMemory(identifier: nil),
      objectTypes: [PlacedWrong.self]
    )
    let error = try #require(throws: FiefError.self) { try repository.open() }
    #expect(error.code == .invalidSchema)
    repository.close()
  }
}

final class PlacedWrongPart: EmbeddedObject {
  @Persisted(originProperty: "other") var owners: LinkingObjects<PlacedWrong>
}

final class PlacedWrong: Object {
  @Persisted var part: PlacedWrongPart?
  @Persisted var other: PlacedWrong?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
