import Fief
import FiefTesting
import Foundation
import Testing

/// Each of these tests begins with empty stores, though all of them write the same keys.
@Suite(.freshStores) struct FreshStoresTests {
  @Test(arguments: 0..<8) func eachTestCaseHasStoresOfItsOwn(_ number: Int) async throws {
    try Shop().add(1, "Lulu \(number)")
    try await Shop().addLater(2, "Rex \(number)")
    try expectContents(
      of: ShopRepository(),
      ShopDog.self,
      \.name,
      equal: ["Lulu \(number)", "Rex \(number)"]
    )
    try expectCount(of: VisitRepository(), ShopVisit.self, 1)
  }

  @Test func repositoriesAreOneStoreWhereverTheyAreMade() throws {
    let first = ShopRepository()
    try Shop().add(1, "Lulu")
    first.close()
    #expect(ShopRepository().object(ofType: ShopDog.self, forPrimaryKey: 1)?.name == "Lulu")
    #expect(first.store() === ShopRepository().store())
  }

  @Test func directoriesThatRepositoriesNameStayApart() throws {
    let first = TestRepository("same", in: "/nowhere/a", objectTypes: [ShopVisit.self])
    let second = TestRepository("same", in: "/nowhere/b", objectTypes: [ShopVisit.self])
    try first.write { try $0.add(ShopVisit("first")) }
    try expectCount(of: first, ShopVisit.self, 1)
    try expectCount(of: second, ShopVisit.self, 0)
    #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
  }

  @Test func unnamedStoresInMemoryStayApartByObject() throws {
    final class Counters: DatabaseConfigurable {
      var realmMemoryType: RealmMemoryType { .inMemory(identifier: nil) }
      var schemaName: String? { "counters" }
      var schemaVersion: UInt64? { nil }
      var objectTypes: [Object.Type]? { [ShopVisit.self] }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
      var migrationBlock: MigrationBlock? { nil }
    }
    let first = Counters()
    let second = Counters()
    try first.write { try $0.add(ShopVisit("a")) }
    try expectCount(of: first, ShopVisit.self, 1)
    try expectCount(of: second, ShopVisit.self, 0)
  }

  @Test func aFixtureInsideIsAStoreOfItsOwn() throws {
    try Shop().add(1, "Lulu")
    let other = try StoreFixture(ShopRepository())
    try expectCount(of: other, ShopDog.self, 0)
    try other.redirect { try Shop().add(2, "Rex") }
    try expectContents(of: other, ShopDog.self, \.id, equal: [2])
    try expectContents(of: ShopRepository(), ShopDog.self, \.id, equal: [1])
    try expectCount(of: VisitRepository(), ShopVisit.self, 2)
  }

  @Test(.freshStores(.onDisk)) func anInnerTraitTakesOver() throws {
    let directory = try #require(ShopRepository().store().directory)
    #expect(directory.hasPrefix(FileManager.default.temporaryDirectory.path))
    try Shop().add(1, "Lulu")
  }

  @Test(.freshStores(seeding: ShopRepository(), with: .objects([ShopDog(1, "Lulu")])))
  func storesCanHoldSomethingAtFirst() throws {
    try expectContents(of: ShopRepository(), ShopDog.self, equal: [ShopDog(1, "Lulu")])
  }
}

@Suite struct StoreTraitTests {
  @Test(.store(ShopRepository(), seed: .objects([ShopDog(1, "Lulu")])), .store(VisitRepository(), .onDisk))
  func repositoriesOfTheTypesFindTheirStores() throws {
    try Shop().add(2, "Rex")
    try expectContents(of: ShopRepository(), ShopDog.self, \.id, equal: [1, 2])
    try expectCount(of: VisitRepository(), ShopVisit.self, 1)
  }

  /// Repositories that are still used by someone after the test touch nothing.
  @Test func afterTheTestThereIsAnErrorInsteadOfTheRealStore() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    var later: Task<FiefError?, Never>?
    try withFreshStores {
      try Shop().add(1, "Lulu")
      later = Task {
        for await _ in stream {}
        return ShopRepository().store().openingError
      }
    }
    continuation.finish()
    #expect(await later?.value?.code == .storeClosed)
  }
}
