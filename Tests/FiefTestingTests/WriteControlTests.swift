import Fief
import FiefTesting
import Testing

@Suite(.freshStores) struct WriteControlTests {
  private let shop = ShopRepository()
  private let full = FiefError(.storeFull, "Full on purpose.")

  private func failure(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  @Test func everyKindOfWriteCanBeMadeToFail() async throws {
    let writes: [(String, () async throws -> Void)] = [
      ("save", { try Shop().add(1, "Lulu") }),
      ("async save", { try await Shop().addLater(1, "Lulu") }),
      ("write", { try ShopRepository().write { try $0.add(ShopDog(1, "Lulu")) } }),
      ("async write", { try await ShopRepository().write { try $0.add(ShopDog(1, "Lulu")) } }),
      (
        "store's write",
        {
          let store = ShopRepository().store()
          try store.write { store.add(ShopDog(1, "Lulu")) }
        }
      ),
      ("delete all", { try await ShopRepository().deleteAll(deleteObjClass: ShopDog.self) }),
    ]
    for (name, write) in writes {
      try shop.writes.failNext(with: full)
      let before = try shop.writes.statistics.failures
      let error = await #expect(throws: FiefError.self, "\(name)") { try await write() }
      #expect(error?.code == .storeFull, "\(name)")
      try expectCount(of: shop, ShopDog.self, 0)
      #expect(try shop.writes.statistics.failures == before + 1, "\(name)")
    }
    try Shop().add(1, "Lulu")
    try expectCount(of: shop, ShopDog.self, 1)
  }

  @Test func onlyTheNextOnesFail() throws {
    try shop.writes.failNext(2, with: full)
    #expect(failure { try Shop().add(1, "Lulu") } == .storeFull)
    #expect(failure { try shop.write { _ in } } == .storeFull)
    #expect(failure { try Shop().add(1, "Lulu") } == nil)
  }

  @Test func maintenanceIsNoWrite() throws {
    try Shop().add(1, "Lulu")
    try shop.writes.failNext(with: full)
    try shop.compact()
    try expectCount(of: ShopRepository(), ShopDog.self, 1)
  }

  @Test func pausedWritesShareACommitWhenTheyGoOn() async throws {
    try Shop().add(0, "First")
    let before = try shop.writes.statistics
    try shop.writes.pause()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...50 { group.addTask { try await Shop().addLater(id, "Dog") } }
      try await shop.writes.waitUntilPending(50)
      try expectCount(of: shop, ShopDog.self, 1)
      #expect(try shop.writes.statistics.pending == 50)
      try shop.writes.resume()
      try await group.waitForAll()
    }
    try await shop.writes.waitUntilIdle()
    let after = try shop.writes.statistics
    #expect(after.batches == before.batches + 1 && after.largestBatch == 50)
    #expect(after.writes == before.writes + 50 && after.pending == 0)
    try expectCount(of: shop, ShopDog.self, 51)
  }

  @Test func aCancelledWriteThatWaitsIsNotDone() async throws {
    try shop.writes.pause()
    let task = Task { try await Shop().addLater(1, "Lulu") }
    try await shop.writes.waitUntilPending()
    task.cancel()
    await #expect(throws: FiefError.self) { try await task.value }
    try shop.writes.resume()
    try expectCount(of: shop, ShopDog.self, 0)
    #expect(try shop.writes.statistics.cancelled == 1)
  }

  @Test func aStoreThatCannotBeOpenedSaysSo() {
    let broken = TestRepository("", objectTypes: [ShopVisit.self])
    #expect(throws: FiefError.self) { try broken.writes.pause() }
    #expect(throws: FiefError.self) { try broken.writes.statistics }
  }
}
