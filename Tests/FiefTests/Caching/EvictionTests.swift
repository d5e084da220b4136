import Fief
import FiefTesting
import Foundation
import Testing

/// The bounds of lifetimes.
@Suite(.timeLimit(.minutes(30))) struct EvictionTests {
  @Test(arguments: StoreKind.allCases) func theOldestBeyondABoundAreEvicted(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind, [BoundedPage.self])
    for id in 0..<6 {
      world.clock.advance(by: 1)
      let page = try await world.store.cached(BoundedPage.self, forPrimaryKey: id) {
        BoundedPage(value: [$0])
      }
      #expect(page.value.id == id)
      #expect(try world.store.objects(BoundedPage.self).all().map(\.id) == Array(max(0, id - 2)...id))
    }
    // The fetched one stays, even where its date is the oldest.
    let old = try await world.store.cached(BoundedPage.self, forPrimaryKey: 9) { id in
      BoundedPage(value: ["id": id, "cachedAt": Date(timeIntervalSinceReferenceDate: 1)])
    }
    #expect(old.value.id == 9)
    #expect(try world.store.objects(BoundedPage.self).all().map(\.id) == [4, 5, 9])
    // Saves of other kinds are bounded by the next sweep.
    try await world.store.write { transaction in
      for id in 10..<20 { try transaction.add(BoundedPage(value: ["id": id, "cachedAt": world.clock.now])) }
    }
    #expect(try await world.store.sweepExpired(limit: 4) == 4)
    #expect(try await world.store.sweepExpired(limit: 10) == 6)
    #expect(try world.store.count(BoundedPage.self) == 3)
  }

  @Test(arguments: StoreKind.allCases) func bytesAreBounded(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind, [HeavyPage.self])
    for id in 0..<100 {
      world.clock.advance(by: 1)
      _ = try await world.store.cached(HeavyPage.self, forPrimaryKey: id) { id in
        HeavyPage(value: ["id": id, "text": String(repeating: "x", count: 1_000)])
      }
    }
    let ids = try world.store.objects(HeavyPage.self).all().map(\.id)
    // About three on a page of 4 KiB, of which there are sixteen.
    #expect(ids == Array((ids.first ?? 0)..<100) && ids.count >= 30 && ids.count <= 64)
    #expect(try await world.store.sweepExpired() == 0)
  }
}
