import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

final class UsageShelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var books: List<UsageBook>
  @Persisted var pages: List<Int>
  @Persisted var favourite: UsageBook?
}

final class UsageBook: Object {
  @Persisted(primaryKey: true) var id = 0
}

@Suite struct WriteUsageTests {
  private func fixture() throws -> StoreFixture<TestRepository> {
    try StoreFixture(
      TestRepository("shelves", version: 1, objectTypes: [UsageShelf.self, UsageBook.self]),
      .inMemory
    )
  }

  @Test func linksThatADeletionClearsAreNoWrites() throws {
    let fixture = try fixture()
    let store = fixture.store()
    try fixture.write { transaction in
      let book = try transaction.create(UsageBook.self, value: ["id": 1])
      for id in 0..<3 {
        try transaction.create(UsageShelf.self, value: ["id": id, "favourite": book, "books": [book]])
      }
    }
    let before = store.usage()
    #expect(before.total.writes == 4)
    try fixture.deleteAndWait(ofType: UsageBook.self, forPrimaryKeys: [1])
    let after = store.usage()
    #expect(after.total.writes == 4 && after.total.deletes == 1)
    #expect(after.types["UsageBook"]?.deletes == 1 && after.types["UsageShelf"]?.deletes == 0)
  }

  /// The closure of a write to several stores runs on a thread of its own.
  @Test func aWriteToSeveralStoresCountsUnderTheLabelOfItsCaller() async throws {
    let directory = try TemporaryDirectory()
    let shops = ["one", "other"].map {
      TestRepository($0, in: directory.path, version: 1, objectTypes: [UsageShelf.self, UsageBook.self])
    }
    let manager = StoreManager(repositories: shops)
    defer { manager.close() }
    try await StoreUsage.withLabel("sale") {
      try await manager.write(to: shops[0], and: shops[1]) { one, other in
        _ = try other.object(ofType: UsageShelf.self, forPrimaryKey: 1)
        try one.add(UsageBook(value: ["id": 1]))
        try other.add(UsageBook(value: ["id": 2]))
      }
    }
    for (shop, reads) in zip(shops, [0, 1] as [UInt64]) {
      let usage = shop.store().usage()
      #expect(usage.total.writes == 1 && usage.total.reads == reads)
      #expect(usage.labels == ["sale": usage.total])
    }
  }

  @Test func deletingAllOfATypeCountsEach() throws {
    let fixture = try fixture()
    try fixture.saveAndWait(entities: (0..<2_000).map { UsageBook(value: ["id": $0]) })
    try fixture.deleteAllAndWait(deleteObjClass: UsageBook.self)
    #expect(fixture.store().usage().total.deletes == 2_000)
  }

  @Test func elementsOfALargeCollectionCountAsTheyAreWritten() throws {
    let fixture = try fixture()
    let store = fixture.store()
    let shelf = UsageShelf(value: ["id": 1])
    shelf.pages.append(objectsIn: 0..<10_000)
    try fixture.saveAndWait(entity: shelf)
    let first = store.usage().total
    #expect(first.writes == 1 && first.bytesWritten > 80_000)
    try fixture.write { transaction in
      try transaction.object(ofType: UsageShelf.self, forPrimaryKey: 1)?.pages.append(7)
    }
    let second = store.usage().total
    #expect(second.bytesWritten > first.bytesWritten && second.bytesWritten - first.bytesWritten < 1_000)
  }

  @Test func writeThatBeginsAgainCountsOnce() throws {
    // A small map, so that the write runs more than once.
    var options = StoreOptions()
    options.initialMapSize = 256 << 10
    let fixture = try StoreFixture(
      TestRepository(
        "shelves",
        version: 1,
        objectTypes: [UsageShelf.self, UsageBook.self],
        options: options
      ),
      .onDisk
    )
    let count = TestEffort.count(20_000, more: 60_000)
    var runs = 0
    try fixture.write { transaction in
      runs += 1
      for id in 0..<count { try transaction.create(UsageBook.self, value: ["id": id]) }
    }
    #expect(runs > 1 && fixture.store().usage().total.writes == count)
  }
}
