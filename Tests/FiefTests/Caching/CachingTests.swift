import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// Objects that are fetched when they have expired.
@Suite(.timeLimit(.minutes(30))) struct CachingTests {
  @Test(arguments: StoreKind.allCases) func anObjectIsFreshUpToItsLifetime(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let fetches = Counted()
    #expect(try await world.user(1, fetches) == "fetched 1")
    #expect(try await world.user(1, fetches) == "fresh 1")
    world.clock.advance(by: 3600)
    #expect(try await world.user(1, fetches) == "fresh 1")
    world.clock.advance(by: 0.001)
    #expect(try await world.user(1, fetches) == "fetched 2")
    // The clock is set back: the date is in the future.
    world.clock.advance(by: -0.001)
    #expect(try await world.user(1, fetches) == "fetched 3")
    #expect(fetches.count == 3)
  }

  @Test(arguments: StoreKind.allCases) func aFreshObjectCostsOneLookUp(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    _ = try await world.user(1, Counted())
    let before = world.store.store().metrics
    #expect(try await world.user(1, Counted()) == "fresh 1")
    var expected = before
    expected.objectsRead += 1
    expected.lookups += 1
    // The same bytes as the call before.
    expected.bytesRead *= 2
    #expect(world.store.store().metrics == expected)
  }

  @Test(arguments: StoreKind.allCases) func anExpiredObjectIsBetterThanAnError(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(kind)
    let fetches = Counted()
    fetches.isOffline = true
    await #expect(throws: Offline.self) { try await world.user(1, fetches) }
    fetches.isOffline = false
    #expect(try await world.user(1, fetches) == "fetched 2")
    world.clock.advance(by: 4000)
    fetches.isOffline = true
    #expect(try await world.user(1, fetches) == "stale 2 offline")
    // What the fetch finds is all that counts.
    await #expect(throws: Offline.self) { try await world.user(1, fetches, .networkOnly) }
    fetches.isOffline = false
    #expect(try await world.user(1, fetches) == "fetched 5")
    #expect(try await world.user(1, fetches, .networkOnly) == "fetched 6")
  }

  @Test(arguments: StoreKind.allCases) func cacheOnlyNeverFetches(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let fetches = Counted()
    let error = await #expect(throws: FiefError.self) { try await world.user(1, fetches, .cacheOnly) }
    #expect(error?.code == .objectNotFound && error?.type == "CachedUser" && fetches.count == 0)
    _ = try await world.user(1, fetches)
    #expect(try await world.user(1, fetches, .cacheOnly) == "fresh 1")
    world.clock.advance(by: 3601)
    #expect(try await world.user(1, fetches, .cacheOnly) == "stale 1" && fetches.count == 1)
  }

  @Test(.allowsFailureEvents, arguments: StoreKind.allCases)
  func anExpiredObjectIsRefreshedBehindTheCall(_ kind: StoreKind)
    async throws
  {
    let events = Lock<[StoreEvent]>([])
    let world = try CacheWorld(kind) { options in
      options.eventHandler = { event in if event.isFailure { events.withLock { $0.append(event) } } }
    }
    let fetches = Counted()
    let policy = CachePolicy.staleWhileRevalidate
    #expect(try await world.user(1, fetches, policy) == "fetched 1")
    world.clock.advance(by: 3601)
    #expect(try await world.user(1, fetches, policy) == "stale 1")
    try await waitUntil {
      try world.store.fetchObject(ofType: CachedUser.self, forPrimaryKey: 1)?.name == "2"
    }
    #expect(try await world.user(1, fetches, policy) == "fresh 2")
    world.clock.advance(by: 3601)
    fetches.isOffline = true
    // A call joins the first refresh as long as that has not ended.
    while events.withLock(\.isEmpty) {
      #expect(try await world.user(1, fetches, policy) == "stale 2")
      try await Task.sleep(for: .milliseconds(1))
    }
    guard case .failedCaching(_, "CachedUser", is Offline)? = events.withLock(\.first) else {
      Issue.record("\(events.withLock { $0 })")
      return
    }
    #expect(try await world.user(1, fetches, .cacheOnly) == "stale 2")
  }

  @Test(arguments: StoreKind.allCases) func aFetchedObjectHasTheKeyThatWasAskedFor(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    let error = await #expect(throws: FiefError.self) {
      _ = try await world.store.cached(CachedUser.self, forPrimaryKey: 1) { _ in CachedUser(2) }
    }
    #expect(error?.code == .invalidValue && error?.type == "CachedUser" && error?.property == "id")
    #expect(try world.store.count(CachedUser.self) == 0)
    #expect(world.store.store().metrics.commits == 0)
  }

  @Test(arguments: StoreKind.allCases) func anObjectThatCannotBeSavedIsAFailedFetch(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(
      kind,
      [CachedArticle.self, ArticleNote.self, ArticlePicture.self, UniqueCopy.self]
    )
    _ = try await world.store.cached(UniqueCopy.self, forPrimaryKey: 1) { UniqueCopy(value: [$0, "a"]) }
    world.clock.advance(by: 100)
    _ = try await world.store.cached(UniqueCopy.self, forPrimaryKey: 2) { UniqueCopy(value: [$0, "b"]) }
    // Two copies cannot have one name.
    let cached = try await world.store.cached(UniqueCopy.self, forPrimaryKey: 1) {
      UniqueCopy(value: [$0, "b"])
    }
    #expect(
      cached.isStale && cached.value.name == "a" && (cached.error as? FiefError)?.code == .duplicateValue
    )
    let error = await #expect(throws: FiefError.self) {
      _ = try await world.store.cached(UniqueCopy.self, forPrimaryKey: 3) { UniqueCopy(value: [$0, "b"]) }
    }
    #expect(error?.code == .duplicateValue)
  }

  @Test(arguments: StoreKind.allCases) func aClassWithoutALifetimeIsNoCache(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind, [CachedArticle.self, ArticleNote.self, ArticlePicture.self])
    let error = await #expect(throws: FiefError.self) {
      _ = try await world.store.cached(ArticleNote.self, forPrimaryKey: 1) { ArticleNote(value: [$0]) }
    }
    #expect(error?.code == .invalidValue && error?.type == "ArticleNote")
    #expect(!world.store.isExpired(ArticleNote()))
    let negative = await #expect(throws: FiefError.self) {
      _ = try await world.store.cached(CachedArticle.self, forPrimaryKey: 1, lifetime: -1) {
        CachedArticle(value: [$0])
      }
    }
    #expect(negative?.code == .invalidValue)
  }
}
