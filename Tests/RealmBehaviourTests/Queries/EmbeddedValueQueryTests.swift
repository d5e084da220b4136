import FiefRealm
import FiefTesting
import Foundation
import Testing

/// A value that is stored as an embedded object without collections.
private struct Harbour: CustomPersistable, Hashable {
  var city: String
  var country: String
  init(_ city: String, _ country: String) { (self.city, self.country) = (city, country) }
  init(persistedValue: StoredHarbour) {
    (city, country) = (persistedValue.city, persistedValue.country)
  }
  var persistableValue: StoredHarbour { StoredHarbour(value: [city, country]) }
}

private final class StoredHarbour: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var country = ""
}

private final class Ship: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var home: Harbour
  @Persisted var next: Harbour?
  @Persisted var visited: List<Harbour>
  @Persisted var byName: Map<String, Harbour>
  @Persisted var byDay: Map<String, Harbour?>
}

private final class Fleet: Object {
  @Persisted var flagship: Ship?
  @Persisted var ships: List<Ship>
  @Persisted var shipSet: MutableSet<Ship>
  @Persisted var shipMap: Map<String, Ship?>
}

@Suite("Values that are stored as embedded objects in queries, as Realm has them")
struct EmbeddedValueQueryTests {
  private static let (first, second, third) = (Harbour("a", "b"), Harbour("a", "c"), Harbour("b", "b"))

  private func withShips(_ kind: StoreKind, _ body: (Store, Results<Ship>) throws -> Void) throws {
    try withValueStore(kind, [Ship.self, Fleet.self]) { store in
      try store.write {
        for (id, home) in [Self.first, Self.second, Self.third].enumerated() {
          store.create(Ship.self, value: ["id": id + 1, "home": home, "next": home] as [String: Any])
        }
      }
      try body(store, store.objects(Ship.self))
    }
  }

  private func expect(
    _ ships: Results<Ship>,
    _ ids: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try ships.sorted(by: \.id).all().map(\.id) == ids, sourceLocation: sourceLocation)
  }

  @Test("properties", arguments: StoreKind.allCases)
  func properties(_ kind: StoreKind) throws {
    try withShips(kind) { _, ships in
      let first = Self.first
      try expect(ships.where { $0.home == first }, [1])
      try expect(ships.where { $0.home != first }, [2, 3])
      try expect(ships.where { $0.next == first }, [1])
      try expect(ships.where { $0.next != first }, [2, 3])
      try expect(ships.where { $0.home.persistableValue.city == "a" }, [1, 2])
      try expect(ships.where { $0.next.persistableValue.city == "b" }, [3])
      try expect(ships.where { $0.home.in([first, Self.third]) }, [1, 3])
      for (text, ids) in [
        ("home == %@", [1]), ("home IN {%@}", [1]), ("home != %@", [2, 3]),
        ("next == %@", [1]), ("next != %@", [2, 3]),
        ("home.city != 'c' || home == %@", [1, 2, 3]), ("home == %@ || home.city == 'b'", [1, 3]),
        ("NOT home == %@ AND home.city == 'a'", [2]),
      ] {
        try expect(ships.filter(text, first), ids)
      }
      try expect(ships.where { $0.home.persistableValue.city != "c" || $0.home == first }, [1, 2, 3])
      try expect(ships.where { $0.home == first || $0.home.persistableValue.city == "b" }, [1, 3])
    }
  }

  @Test("elements, each as a whole", arguments: StoreKind.allCases)
  func elements(_ kind: StoreKind) throws {
    try withShips(kind) { store, ships in
      let first = Self.first
      try store.write {
        let (one, two) = (ships[0], ships[1])
        one.visited.append(first)
        one.byName["foo"] = first
        one.byDay["foo"] = first
        // Each of their properties is that of the first harbour, but in two elements.
        two.visited.append(objectsIn: [Self.second, Self.third])
        two.byName["x"] = Self.second
        two.byName["y"] = Self.third
      }
      try expect(ships.where { $0.visited == first }, [1])
      try expect(ships.where { $0.visited != first }, [2])
      try expect(ships.where { $0.visited.contains(first) }, [1])
      try expect(ships.where { $0.byName.values == first }, [1])
      try expect(ships.where { $0.byName.values != first }, [2])
      try expect(ships.where { $0.byDay.values == first }, [1])
      try expect(ships.where { $0.byDay.values != first }, [])
      try expect(ships.where { $0.byName["foo"] == first }, [1])
      for (text, ids) in [
        ("ANY visited == %@", [1]), ("ANY visited != %@", [2]), ("%@ IN visited", [1]),
        ("ANY byName.@allValues == %@", [1]), ("ANY byName.@allValues != %@", [2]),
        ("ANY byDay.@allValues == %@", [1]), ("ANY byDay.@allValues != %@", []),
        ("NONE visited == %@", [2, 3]), ("byName['foo'] == %@", [1]),
      ] {
        try expect(ships.filter(text, first), ids)
      }
    }
  }

  @Test("properties of objects that are linked", arguments: StoreKind.allCases)
  func linked(_ kind: StoreKind) throws {
    try withShips(kind) { store, ships in
      try store.write {
        guard let ship = ships.first else { return }
        let value: [String: Any] = [
          "flagship": ship, "ships": [ship], "shipSet": [ship], "shipMap": ["1": ship],
        ]
        store.create(Fleet.self, value: value)
      }
      let fleets = store.objects(Fleet.self)
      for (harbour, count) in [(Self.first, 1), (Self.second, 0)] {
        let country = harbour.country
        #expect(fleets.where { $0.flagship.home == harbour }.count == count)
        #expect(fleets.where { $0.ships.home == harbour }.count == count)
        #expect(fleets.where { $0.shipSet.home == harbour }.count == count)
        #expect(fleets.where { $0.shipMap.values.home == harbour }.count == count)
        #expect(fleets.where { $0.flagship.home != harbour }.count == 1 - count)
        #expect(fleets.where { $0.ships.home != harbour }.count == 1 - count)
        #expect(fleets.where { $0.shipSet.home.persistableValue.country == country }.count == count)
        for way in ["flagship", "ANY ships", "ANY shipSet", "ANY shipMap.@allValues"] {
          #expect(fleets.filter("\(way).home == %@", harbour).count == count, "\(way)")
          #expect(fleets.filter("\(way).home.country == %@", country).count == count, "\(way)")
        }
      }
    }
  }
}
