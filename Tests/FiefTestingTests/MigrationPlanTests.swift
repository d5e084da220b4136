import Fief
import FiefTesting
import Foundation
import Testing

/// Fixtures of repositories whose migrations are a plan.
@Suite struct MigrationPlanTests {
  private enum Version1 {
    final class Cat: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
    }
  }

  private final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var length = 0
  }

  private enum Version2: MigrationStep {
    static let version: UInt64 = 2
    static let name = "lengths"
    static let description = "Cats have the length of their name."

    static func migrate(_ migration: Migration) throws {
      migration.enumerateObjects(ofType: "Cat") { old, new in
        new?["length"] = (old?["name"] as? String)?.count ?? 0
      }
    }
  }

  private enum Version4: MigrationStep {
    static let version: UInt64 = 4
    static let name = "too late"
    static let description = "A step without the one before it."
  }

  private struct CatRepository: DatabaseConfigurable {
    var plan = MigrationPlan([Version2.self])
    var seedFile: String?

    var schemaName: String? { "cats" }
    var schemaVersion: UInt64? { plan.version }
    var objectTypes: [Object.Type]? { [Cat.self] }
    var migrationBlock: MigrationBlock? { nil }
    var migrationPlan: MigrationPlan? { plan }
    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.seedFile = seedFile
      return options
    }
  }

  /// Calls a closure with the path of a store of version 1 that has one cat.
  private func withOldStore(_ body: (String) throws -> Void) throws {
    let old = try StoreFixture(TestRepository("cats", version: 1, objectTypes: [Version1.Cat.self]), .onDisk)
    try old.write { _ = try $0.create(Version1.Cat.self, value: ["id": 1, "name": "Lulu"]) }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("cats-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try old.backup(to: path)
    try body(path)
  }

  @Test(arguments: [StoreKind.inMemory, .onDisk]) func aFixtureRunsThePlan(_ kind: StoreKind) throws {
    try withOldStore { path in
      let cats = try StoreFixture(CatRepository(seedFile: path), kind)
      try expectContents(of: cats, Cat.self, \.length, equal: [4])
    }
  }

  @Test func aFixtureRefusesAPlanThatCannotRun() throws {
    let plan = MigrationPlan([Version2.self, Version4.self])
    let error = #expect(throws: FiefError.self) { try StoreFixture(CatRepository(plan: plan)) }
    #expect(error?.code == .invalidMigrationPlan)
  }

  @Test(arguments: [StoreKind.inMemory, .onDisk]) func aTestRepositoryRunsThePlan(_ kind: StoreKind) throws {
    try withOldStore { path in
      var options = StoreOptions()
      options.seedFile = path
      let plan = MigrationPlan([Version2.self])
      let cats = TestRepository("cats", objectTypes: [Cat.self], options: options, plan: plan)
      try expectContents(of: try StoreFixture(cats, kind), Cat.self, \.length, equal: [4])
    }
  }
}
