import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The deletion of what has expired.
@Suite(.timeLimit(.minutes(30))) struct SweepingTests {
  @Test(arguments: StoreKind.allCases) func sweepsDeleteExpiredObjectsOnly(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    world.clock.advance(by: 10_000)
    let count = TestEffort.count(1_000, more: 10_000)
    try await world.store.write { transaction in
      for id in 0..<count {
        // Two of five have expired: too old, without a date, and from the future.
        let date: Double? = id % 5 < 3 ? 6_400 + Double(id % 3600) : [6_399.5, nil, 10_001][id % 3]
        try transaction.add(CachedUser(id, cachedAt: date))
      }
    }
    let before = world.store.store().metrics.commits
    var counts: [Int] = []
    let tenth = count / 10
    for _ in 0..<5 { counts.append(try await world.store.sweepExpired(limit: tenth)) }
    #expect(counts == [tenth, tenth, tenth, tenth, 0])
    // Nothing is written where there is nothing to delete.
    #expect(world.store.store().metrics.commits == before + 4)
    let ids = try world.store.objects(CachedUser.self).all().map(\.id)
    #expect(ids == (0..<count).filter { $0 % 5 < 3 })
    world.clock.advance(by: 1)
    #expect(try await world.store.sweepExpired(limit: 0) == 0)
    let oldest = ids.count { $0 % 3600 == 0 }
    #expect(try await world.store.sweepExpired(limit: .max) == oldest)
  }

  @Test(arguments: StoreKind.allCases) func allClassesAreSweptWithAndWithoutAnIndex(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    try await world.store.write { transaction in
      for id in 0..<10 {
        try transaction.add(CachedUser(id, cachedAt: 0))
        try transaction.add(CachedPlace(value: ["name": "\(id)"]))
        try transaction.add(CachedPrice(value: ["a", id] as [Any]))
      }
    }
    world.clock.advance(by: 10)
    #expect(try await world.store.sweepExpired() == 0)
    world.clock.advance(by: 1)
    #expect(try await world.store.sweepExpired() == 10)
    #expect(try world.store.count(CachedPrice.self) == 0)
    world.clock.advance(by: 100_000)
    #expect(try await world.store.sweepExpired(limit: 15) == 15)
    #expect(try await world.store.sweepExpired(limit: 15) == 5)
    #expect(try world.store.count(CachedUser.self) == 0 && world.store.count(CachedPlace.self) == 0)
  }

  @Test(arguments: StoreKind.allCases) func rulesOfRelationshipsHold(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind, [CachedArticle.self, ArticleNote.self, ArticlePicture.self])
    try await world.store.write { transaction in
      for id in 0..<100 {
        let article = CachedArticle(value: ["id": id, "cachedAt": world.clock.now])
        article.pictures.append(ArticlePicture(value: [id]))
        try transaction.add(article)
        // The first ones cannot be deleted.
        if id < 30 {
          let note = ArticleNote(value: [id])
          note.article = article
          try transaction.add(note)
        }
      }
    }
    world.clock.advance(by: 61)
    var counts: [Int] = []
    for _ in 0..<8 { counts.append(try await world.store.sweepExpired(limit: 10)) }
    #expect(counts == [10, 10, 10, 10, 10, 10, 10, 0])
    #expect(try world.store.objects(CachedArticle.self).all().map(\.id) == Array(0..<30))
    #expect(try world.store.count(ArticlePicture.self) == 30 && world.store.count(ArticleNote.self) == 30)
    try await world.store.delete(ofType: ArticleNote.self, forPrimaryKeys: 0..<20)
    #expect(try await world.store.sweepExpired(limit: 1000) == 20)
    #expect(try world.store.count(CachedArticle.self) == 10)
  }

  @Test(arguments: StoreKind.allCases) func aRequiredObjectStaysWithAnError(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind, [RequiredCopy.self, CopyOwner.self])
    try await world.store.write { transaction in
      let owner = CopyOwner(value: [1])
      owner.copy = RequiredCopy(value: ["id": 1])
      try transaction.add(owner)
    }
    let error = await #expect(throws: FiefError.self) { try await world.store.sweepExpired() }
    #expect(error?.code == .validationFailed)
    #expect(try world.store.count(RequiredCopy.self) == 1)
  }

  @Test(.allowsFailureEvents) func aStoreCanBeSweptWhenItIsOpened() async throws {
    let events = Lock<[StoreEvent]>([])
    let world = try CacheWorld(.onDisk, [CachedUser.self, RequiredCopy.self, CopyOwner.self]) { options in
      options.sweepsExpiredOnOpen = true
      options.eventHandler = { event in if event.isFailure { events.withLock { $0.append(event) } } }
    }
    try await world.store.write { transaction in
      for id in 0..<2_500 { try transaction.add(CachedUser(id, cachedAt: id < 2_100 ? 0 : 5_000)) }
    }
    world.clock.advance(by: 5_000)
    world.store.close()
    try await waitUntil { try world.store.count(CachedUser.self) == 400 }
    #expect(events.withLock(\.isEmpty))
    try await world.store.write { transaction in
      let owner = CopyOwner(value: [1])
      owner.copy = RequiredCopy(value: ["id": 1])
      try transaction.add(owner)
    }
    world.store.close()
    try world.store.open()
    await waitUntil { !events.withLock(\.isEmpty) }
    guard case .failedCaching(_, _, let error as FiefError)? = events.withLock(\.first) else {
      Issue.record("\(events.withLock { $0 })")
      return
    }
    #expect(error.code == .validationFailed)
  }

  @Test(arguments: StoreKind.allCases) func manySweepsAtOnceDeleteEachObjectOnce(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    let count = TestEffort.count(500, more: 1_000)
    try await world.store.write { transaction in
      for id in 0..<count { try transaction.add(CachedUser(id)) }
    }
    let store = world.store
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var total = 0
          while case let count = try await store.sweepExpired(limit: 37), count > 0 { total += count }
          return total
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(try total == count && store.count(CachedUser.self) == 0)
  }
}
