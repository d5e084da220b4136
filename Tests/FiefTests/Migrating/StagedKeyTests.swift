import Fief
import Foundation
import LMDB
import Testing

private enum First {
  final class Star: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var orbits: Star?
    @Persisted var spot: StarSpot?
  }
  final class StarSpot: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var near: Star?
  }
}

/// Another key, and an index that goes and comes again.
private enum Second: MigrationStep {
  static let version: UInt64 = 2
  static let name = "names"
  static let description = "Stars are known by their names, spots are objects."
  static var objectTypes: [Object.Type]? { [Star.self, StarSpot.self] }

  final class Star: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var id = 0
    @Persisted var orbits: Star?
    @Persisted var spot: StarSpot?
  }
  final class StarSpot: Object {
    @Persisted var size = 0
    @Persisted var near: Star?
  }
}

private enum Third: MigrationStep {
  static let version: UInt64 = 3
  static let name = "identifiers"
  static let description = "And then by identifiers; spots are embedded again."

  static func migrate(_ migration: Migration) throws {
    // Objects further on are changed before they are reached.
    if let last = try migration.object(ofType: "Star", forPrimaryKey: "S9") { migration.delete(last) }
    try migration.object(ofType: "Star", forPrimaryKey: "S8")?["name"] = "changed"
    var names: [String] = []
    var oldNames: [String] = []
    try migration.enumerateObjects(ofType: "Star") { old, new in
      oldNames.append(try #require(old).value("name"))
      names.append(try #require(new).value("name"))
    }
    #expect(oldNames == (1...8).map { "S\($0)" })
    #expect(names == (1...7).map { "S\($0)" } + ["changed"])
    let gone = try #require(try migration.oldObject(ofType: "Star", forPrimaryKey: "S9"))
    #expect((gone["orbits"] as? MigrationObject)?["name"] as? String == "S8")
    #expect(try migration.oldObject(ofType: "Star", forPrimaryKey: "changed") == nil)
  }
}

private enum Current {
  final class Star: Object {
    @Persisted(primaryKey: true) var uid: UUID
    @Persisted(indexed: true) var name = ""
    @Persisted var id = 0
    @Persisted var orbits: Star?
    @Persisted var spot: StarSpot?
  }
  final class StarSpot: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var near: Star?
  }
}

private enum Swapped {
  final class Star: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var near: Star?
    @Persisted var orbits: Star?
  }
}

@Suite("Keys over several stages")
struct StagedKeyTests {
  private func withStars(_ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { directory in
      let store = MigratingStore(directory, version: 1, [First.Star.self], embedded: [First.StarSpot.self])
      try store.opened { (store: MigratingStore) throws in
        let stars = (1...9).map { id in
          let star = First.Star()
          star.id = id
          star.name = "S\(id)"
          star.spot = First.StarSpot()
          star.spot?.size = id
          return star
        }
        for (star, last) in zip(stars.dropFirst(), stars) {
          star.orbits = last
          star.spot?.near = last
        }
        try store.store().write { try $0.add(stars, update: .all) }
      }
      try body(directory)
    }
  }

  @Test("change twice in one migration, and embedded objects go out and in")
  func twice() throws {
    try withStars { (directory: String) throws in
      var store = MigratingStore(
        directory,
        version: 3,
        [Current.Star.self],
        embedded: [Current.StarSpot.self]
      )
      store.migrationPlan = MigrationPlan([Second.self, Third.self])
      // The spot of the star that is deleted has no owner.
      #expect(try store.failure().type == "StarSpot")
      store.migrationPlan = nil
      store.migrationBlock = { migration, _ in
        try migration.run(MigrationPlan([Second.self, Third.self]))
        migration.deleteUnlinkedObjects(ofType: "StarSpot")
      }
      try store.opened { (store: MigratingStore) throws in
        let stars = try store.all(Current.Star.self)
        #expect(stars.map(\.id).sorted() == Array(1...8))
        #expect(Set(stars.map(\.uid)).count == 8)
        let eighth = try #require(stars.first { $0.name == "changed" })
        #expect(eighth.orbits?.name == "S7")
        #expect(eighth.spot?.size == 8)
        #expect(eighth.spot?.near?.id == 7)
      }
    }
  }

  @Test("and two properties that change their names with each other")
  func swapped() throws {
    try withStars { (directory: String) throws in
      let runs = OwnedLock(0)
      let first = MigratingStore(directory, version: 2, [Swapped.Star.self])
      try first.opened { (store: MigratingStore) throws in
        try store.store().write { transaction in
          let star = try #require(try transaction.object(ofType: Swapped.Star.self, forPrimaryKey: 1))
          star.near = try transaction.object(ofType: Swapped.Star.self, forPrimaryKey: 9)
        }
      }
      let second = MigratingStore(directory, version: 3, [Swapped.Star.self]) { migration, _ in
        runs.withLock { $0 += 1 }
        migration.renameProperty(onType: "Star", from: "near", to: "orbits")
        migration.renameProperty(onType: "Star", from: "orbits", to: "near")
      }
      try second.opened { (store: MigratingStore) throws in
        let star = try #require(store.object(ofType: Swapped.Star.self, forPrimaryKey: 1))
        #expect(star.orbits?.id == 9)
        #expect(star.near == nil)
        #expect(store.object(ofType: Swapped.Star.self, forPrimaryKey: 5)?.near?.id == 4)
      }
      #expect(runs.withLock { $0 } == 2, "once to say the names, once with them")
    }
  }

  @Test("a migration that needs more room than the map has runs once")
  func room() throws {
    try withStars { (directory: String) throws in
      let runs = OwnedLock(0)
      var store = MigratingStore(
        directory,
        version: 2,
        [First.Star.self],
        embedded: [First.StarSpot.self]
      ) { migration, _ in
        runs.withLock { $0 += 1 }
        for id in 100..<6_000 {
          migration.create("Star", value: ["id": id, "name": String(repeating: "x", count: 500)])
        }
      }
      store.storeOptions.initialMapSize = 1 << 20
      try store.opened { (store: MigratingStore) throws in
        #expect(try store.count(First.Star.self) == 5_909)
      }
      #expect(runs.withLock { $0 } == 1)
    }
  }
}
