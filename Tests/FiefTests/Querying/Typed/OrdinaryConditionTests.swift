import Fief
import FiefTesting
import Testing

/// Conditions that applications write and that were refused.
@Suite struct OrdinaryConditionTests {
  final class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var counts: [String: Int] = [:]
    @Persisted var notes: [String: String?] = [:]
  }

  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let fixture = try StoreFixture(TestRepository(objectTypes: [Shelf.self]), kind)
    let shelves = (0..<400).map { id in
      let shelf = Shelf()
      shelf.id = id
      shelf.counts = ["k": id]
      shelf.notes = ["k": id == 3 ? nil : "n\(id)"]
      return shelf
    }
    try fixture.saveAndWait(entities: shelves, update: false)
    return fixture
  }

  @Test(arguments: StoreKind.allCases) func keysOfDictionaries(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let shelves = fixture.store().objects(Shelf.self)
    #expect(try shelves.where { $0.counts["k"] == 3 }.all().map(\.id) == [3])
    #expect(try shelves.where { $0.counts["k"] > 397 }.all().map(\.id) == [398, 399])
    #expect(try shelves.where { $0.counts["x"] == 3 }.all().isEmpty)
    #expect(try shelves.where { $0.notes["k"] == "n7" }.all().map(\.id) == [7])
    #expect(try shelves.where { $0.notes["k"] == nil }.all().map(\.id) == [3])
    #expect(try shelves.where { $0.counts.keys == "k" && $0.counts.values == 5 }.all().map(\.id) == [5])
    #expect(try fixture.check().problems.isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func listOfAnything(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let shelves = fixture.store().objects(Shelf.self)
    let ids: [Any] = [1, 2]
    #expect(try shelves.filter("id IN %@", ids).all().map(\.id) == [1, 2])
    #expect(try shelves.filter("id IN %@", [7] as [Any]).all().map(\.id) == [7])
    #expect(try shelves.filter("id IN %@", [] as [Any]).all().isEmpty)
    #expect(try shelves.query("id IN %@", arguments: [ids]).all().map(\.id) == [1, 2])
    #expect(try shelves.filter("id IN %@", [1, 2]).all().map(\.id) == [1, 2])
    #expect(try shelves.filter("id BETWEEN %@", [1, 2] as [Any]).all().map(\.id) == [1, 2])
    #expect(try shelves.filter("id == %@ OR id == %@", 1, 2).all().map(\.id) == [1, 2])
    #expect(try shelves.filter("id == %@ OR id == %@", [1, 2] as [Any]).all().map(\.id) == [1, 2])
    // An array for the arguments has no other reading.
    for arguments in [[], [1], [1, 2], [1, 2, 3]] as [[Any]] {
      let error = #expect(throws: FiefError.self) { try shelves.query("id IN %@", arguments: arguments) }
      #expect(error?.code == .malformedQuery)
      #expect(throws: FiefError.self) { try shelves.fetchIndex(matching: "id IN %@", arguments: arguments) }
    }
    #expect(shelves.index(matching: "id IN %@", ids) == 1)
    #expect(try shelves.fetchIndex(matching: "id IN %@", arguments: [ids]) == 1)
    for arguments in [[], [1, 2], [1, 2, 3]] as [[Any]] {
      let error = #expect(throws: FiefError.self) { try shelves.query("id == %@", arguments: arguments) }
      #expect(error?.code == .malformedQuery)
    }
    #expect(try fixture.check().problems.isEmpty)
  }

  /// A loop may add each condition in front of the others.
  @Test(arguments: StoreKind.allCases) func conditionsNestedToTheRight(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let shelves = fixture.store().objects(Shelf.self)
    let either = shelves.where { shelf in
      (0..<1_000).reversed().dropFirst().reduce(shelf.id == 999) { last, id in shelf.id == id || last }
    }
    #expect(try either.fetchCount() == 400)
    let all = shelves.where { shelf in
      (0..<399).reversed().dropFirst().reduce(shelf.id != 398) { last, id in shelf.id != id && last }
    }
    #expect(try all.all().map(\.id) == [399])
    // A real depth has its limit still.
    let deep = shelves.where { shelf in
      (0..<400).reduce(shelf.id == 0) { last, id in
        id % 2 == 0 ? (shelf.id != id && last) : (shelf.id == id || last)
      }
    }
    let error = #expect(throws: FiefError.self) { try deep.fetchCount() }
    #expect(error?.code == .invalidQuery)
    #expect(try fixture.check().problems.isEmpty)
  }
}
