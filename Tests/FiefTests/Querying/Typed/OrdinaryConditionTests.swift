import Fief
import FiefTesting
import TestEffort
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

  /// Every form of a text with too few or too many arguments says so, and none finds nothing.
  @Test(arguments: StoreKind.allCases) func argumentsThatAreMissing(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let shelves = fixture.store().objects(Shelf.self)
    func failure(_ results: Results<Shelf>) -> FiefError? {
      do { _ = try results.all() } catch { return error as? FiefError }
      return nil
    }
    let missing = [
      shelves.filter("id IN %@"), shelves.filter("id BETWEEN %@"), shelves.filter("id == %@"),
      shelves.filter("id IN $0"), shelves.filter("%K IN {1}"), shelves.filter("counts[%@] IN {1}"),
      shelves.filter("id == %d"), shelves.filter("id IN {1, %@}"), shelves.filter("id IN %@ LIMIT(1)"),
      shelves.filter("id IN {1} LIMIT(%@)"), shelves.filter("id IN %@ AND id IN %@", [1]),
      shelves.filter("%K IN %@", "id"), shelves.filter("id IN $0 OR id IN $1", [1]),
      shelves.filter("id == %@ AND id == %@", 1),
    ]
    for (number, results) in missing.enumerated() {
      let error = try #require(failure(results), "\(number)")
      #expect(error.code == .malformedQuery, "\(number): \(error)")
      #expect(error.message == "The text uses an argument that was not passed.", "\(number)")
      #expect(error.store != nil && error.type == "Shelf", "\(number)")
      #expect(error.details.contains { $0.hasPrefix("expected: ") && $0.hasSuffix(" passed") }, "\(error)")
    }
    let surplus = [
      shelves.filter("id == 1", 1), shelves.filter("id == %@", 1, 2), shelves.filter("id == $0", 1, 2),
      shelves.filter("%K == 1", "id", "id"), shelves.filter("id == %@ AND id == %@", 1, 2, 3),
      shelves.filter("id == $1", 1, 2),
    ]
    for (number, results) in surplus.enumerated() {
      let error = try #require(failure(results), "\(number)")
      #expect(error.code == .malformedQuery, "\(number): \(error)")
      #expect(error.message == "There are more arguments than the text uses.", "\(number): \(error)")
    }
    for text in ["id IN %@", "id BETWEEN %@", "%K IN {1}"] {
      #expect(throws: FiefError.self) { try shelves.query(text) }
      #expect(throws: FiefError.self) { try shelves.fetchIndex(matching: text) }
    }
    try dynamicTexts(fixture)
    #expect(try fixture.check().problems.isEmpty)
  }

  private func dynamicTexts(_ fixture: StoreFixture<TestRepository>) throws {
    guard let directory = fixture.directory else { return }
    let store = try DynamicStore(directory: directory + "/test")
    defer { store.close() }
    let failure = #expect(throws: FiefError.self) { try store.objects(ofType: "Shelf", where: "id IN %@") }
    #expect(failure?.code == .malformedQuery)
    try store.read { snapshot in
      let failure = #expect(throws: FiefError.self) { try snapshot.query("Shelf", "id IN %@") }
      #expect(failure?.code == .malformedQuery)
      let (two, all) = (
        try snapshot.query("Shelf", "id IN %@", [1, 2] as [Any]), try snapshot.query("Shelf")
      )
      let counts = [try two.objects().count, try all.objects().count]
      #expect(counts == [2, 400])
    }
  }

  /// A loop may add each condition in front of the others, or behind them.
  @Test(arguments: StoreKind.allCases) func conditionsNestedToOneSide(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let shelves = fixture.store().objects(Shelf.self)
    let either = shelves.where { shelf in
      (0..<600).reversed().dropFirst().reduce(shelf.id == 599) { last, id in shelf.id == id || last }
    }
    #expect(try either.fetchCount() == 400)
    let all = shelves.where { shelf in
      (0..<399).reversed().dropFirst().reduce(shelf.id != 398) { last, id in shelf.id != id && last }
    }
    #expect(try all.all().map(\.id) == [399])
    let count = TestEffort.count(2_000, more: 8_000)
    let left = shelves.where { shelf in
      (0..<count).reduce(shelf.id == -1) { last, id in last || shelf.id == id }
    }
    #expect(try left.fetchCount() == 400)
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
