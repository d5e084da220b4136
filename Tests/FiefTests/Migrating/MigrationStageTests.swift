import Fief
import Foundation
import LMDB
import Testing

// The classes of version 1; those of the steps are in them, and the ones in use are those of version 4.
private enum First {
  final class Tale: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var pages = "0"
    @Persisted var place: TalePlace?
  }
  final class TalePlace: EmbeddedObject {
    @Persisted var name = ""
  }
}

/// Pages become a number.
private enum Second: MigrationStep {
  static let version: UInt64 = 2
  static let name = "numbers"
  static let description = "The number of pages is a number."
  static var objectTypes: [Object.Type]? { [Tale.self] }

  final class Tale: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted(indexed: true) var pages = 0
    @Persisted var place: TalePlace?
    @Persisted var onlyInSecond = "second"
  }
  final class TalePlace: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var code = 0
  }

  static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Tale") { old, new in
      new?["pages"] = Int(try old?.value("pages", as: String.self) ?? "")
      (new?["place"] as? MigrationObject)?["code"] = 22
    }
  }
}

/// No classes of its own: it sees those of the next step that has some.
private enum Third: MigrationStep {
  static let version: UInt64 = 3
  static let name = "double"
  static let description = "Every tale has twice the pages."

  static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Tale") { old, new in
      #expect(old?["onlyInSecond"] as? String == "second")
      let place = try old?.value("place", as: MigrationObject?.self) ?? nil
      #expect(place?["code"] as? Int == 22)
      let pages = try old?.value("pages", as: Int.self) ?? 0
      new?["pages"] = pages * 2
      if old?["id"] as? Int == 3, let new { migration.delete(new) }
      // The old value stays what it was, whatever is written.
      let again = try migration.oldObject(ofType: "Tale", forPrimaryKey: old?["id"] ?? 0)
      #expect(again?["pages"] as? Int == pages)
    }
    var seen: [Int] = []
    try migration.enumerateObjects(ofType: "Tale") { old, new in
      let pages = try old?.value("pages", as: Int.self) ?? 0
      #expect(new?["pages"] as? Int == pages * 2)
      seen.append(pages)
    }
    #expect(seen == [10, 20, 40, 50])
    #expect(try migration.oldObject(ofType: "Tale", forPrimaryKey: 3)?["pages"] as? Int == 30)
    migration.create("Tale", value: ["id": 6, "pages": 1, "title": "T6"])
  }
}

/// Another primary key, in the classes in use.
private enum Fourth: MigrationStep {
  static let version: UInt64 = 4
  static let name = "titles"
  static let description = "Tales are known by their titles."

  static func migrate(_ migration: Migration) throws {
    migration.enumerateObjects(ofType: "Tale") { old, new in new?["title"] = "T\(old?["id"] ?? "?")" }
  }
}

private enum Current {
  final class Tale: Object {
    @Persisted(primaryKey: true) var title = ""
    @Persisted var id = 0
    @Persisted(indexed: true) var pages = 0
    @Persisted var place: TalePlace?
  }
  final class TalePlace: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var code = 0
  }
}

private enum Failing: MigrationStep {
  static let version: UInt64 = 3
  static let name = "failing"
  static let description = "Throws."
  struct Failure: Error {}

  static func migrate(_ migration: Migration) throws {
    migration.deleteData(forType: "Tale")
    throw Failure()
  }
}

private enum Skipping: MigrationStep {
  static let version: UInt64 = 5
  static let name = "skipping"
  static let description = "Is not the next one."
}

@Suite("Steps of a migration")
struct MigrationStageTests {
  private static let plan = MigrationPlan([Second.self, Third.self, Fourth.self])

  private static func first(_ directory: String, version: UInt64 = 1) -> MigratingStore {
    MigratingStore(directory, version: version, [First.Tale.self], embedded: [First.TalePlace.self])
  }

  private static func current(_ directory: String, plan: MigrationPlan = Self.plan, version: UInt64 = 4)
    -> MigratingStore
  {
    var store = MigratingStore(
      directory,
      version: version,
      [Current.Tale.self],
      embedded: [Current.TalePlace.self]
    )
    store.migrationPlan = plan
    return store
  }

  private func withTales(version: UInt64 = 1, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try Self.first(directory, version: version).opened { (store: MigratingStore) throws in
        let tales = (1...5).map { id in
          let tale = First.Tale()
          tale.id = id
          tale.pages = "\(id * 10)"
          tale.place = First.TalePlace()
          tale.place?.name = "P\(id)"
          return tale
        }
        try store.store().write { try $0.add(tales, update: .all) }
      }
      try body(directory)
    }
  }

  private func expectCurrent(_ store: MigratingStore) throws {
    let tales = try store.all(Current.Tale.self)
    #expect(tales.map(\.title).sorted() == ["T1", "T2", "T4", "T5", "T6"])
    #expect(tales.sorted { $0.id < $1.id }.map(\.pages) == [20, 40, 80, 100, 1])
    #expect(tales.first { $0.id == 4 }?.place?.name == "P4")
    #expect(tales.first { $0.id == 4 }?.place?.code == 22)
  }

  @Test("run in order, each on the classes of its version, in one commit")
  func stages() throws {
    try withTales { (directory: String) throws in
      try Self.current(directory).opened { try expectCurrent($0) }
    }
  }

  @Test("run as the block of a repository that has no plan")
  func planAsBlock() throws {
    try withTales { (directory: String) throws in
      var store = Self.current(directory)
      store.migrationPlan = nil
      store.migrationBlock = Self.plan.block
      try store.opened { try expectCurrent($0) }
    }
  }

  @Test("run one at a time, over several releases")
  func oneAtATime() throws {
    try withTales { (directory: String) throws in
      var second = MigratingStore(
        directory,
        version: 2,
        [Second.Tale.self],
        embedded: [Second.TalePlace.self]
      )
      second.migrationPlan = MigrationPlan([Second.self])
      try second.opened { (store: MigratingStore) throws in
        #expect(try store.all(Second.Tale.self).map(\.pages) == [10, 20, 30, 40, 50])
      }
      try Self.current(directory).opened { try expectCurrent($0) }
    }
  }

  @Test("of which one throws leave the old store")
  func failingStep() throws {
    try withTales { (directory: String) throws in
      let plan = MigrationPlan([Second.self, Failing.self])
      let error = try Self.current(directory, plan: plan, version: 3).failure()
      #expect(error.code == .migrationFailed)
      #expect(error.details == ["step 3: failing"])
      #expect(error.underlying is Failing.Failure)
      try Self.first(directory).opened { (store: MigratingStore) throws in
        #expect(try store.count(First.Tale.self) == 5)
      }
    }
  }

  @Test("that cannot run, or do not lead to the version, are refused when the store is opened")
  func wrongPlans() throws {
    try withTales { (directory: String) throws in
      let gap = MigrationPlan([Second.self, Skipping.self])
      #expect(try Self.current(directory, plan: gap, version: 5).failure().code == .invalidMigrationPlan)
      let short = try Self.current(directory, plan: MigrationPlan([Second.self])).failure()
      #expect(short.code == .invalidMigrationPlan)
      #expect(short.details.contains("the plan's version: 2"))
      let late = MigrationPlan([Third.self, Fourth.self])
      let error = try Self.current(directory, plan: late).failure()
      #expect(error.code == .invalidMigrationPlan)
      #expect(error.details.contains("the oldest version that the plan can migrate: 2"))
      try Self.current(directory).opened { try expectCurrent($0) }
      // No migration is due, and the plan is checked all the same.
      #expect(
        try Self.current(directory, plan: MigrationPlan([Second.self])).failure().code
          == .invalidMigrationPlan
      )
    }
  }

  @Test("keep their classes out of repositories that name none")
  func defaultSchema() {
    let names = Set(Automatic.types().map { "\($0)" })
    #expect(!names.contains("Excluded"))
    #expect(Second.Tale.shouldIncludeInDefaultSchema())
  }

  @Test("tell how far they are")
  func progress() throws {
    try withTales { (directory: String) throws in
      let events = OwnedLock<[MigrationProgress]>([])
      var store = Self.current(directory)
      store.storeOptions.eventHandler = { event in
        if case .migrating(let progress) = event { events.withLock { $0.append(progress) } }
      }
      try store.opened { _ in }
      let seen = events.withLock { $0 }
      #expect(seen.allSatisfy { $0.store == "migrated" && $0.fromVersion == 1 && $0.toVersion == 4 })
      #expect(seen.allSatisfy { $0.completed <= $0.total && !$0.activity.isEmpty })
      #expect(seen.contains { $0.step == "numbers" && $0.activity == "Tale: going through objects" })
      #expect(seen.contains { $0.step == "double" && $0.completed == 5 && $0.total == 5 })
      #expect(seen.contains { $0.activity == "Tale: moving to new keys" && $0.completed == 5 })
    }
  }
}

private enum Automatic {
  final class Excluded: Object {
    @Persisted var id = 0
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static func types() -> [Object.Type] { [Second.Tale.self, Current.Tale.self] }
}
