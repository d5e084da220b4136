import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// Fetches that would wait for each other.
@Suite(.timeLimit(.minutes(30))) struct FetchCycleTests {
  @Test(arguments: StoreKind.allCases, [CachePolicy.cacheFirst, .networkOnly, .staleWhileRevalidate])
  func aFetchThatAsksForItsOwnKeyFails(_ kind: StoreKind, _ policy: CachePolicy) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    let error = await #expect(throws: FiefError.self) {
      try await store.cached(CachedUser.self, forPrimaryKey: 1, policy: policy) { id in
        try await store.cached(CachedUser.self, forPrimaryKey: id, policy: policy) { CachedUser($0) }.value
      }
    }
    #expect(error?.code == .fetchCycle && error?.type == "CachedUser" && error?.key == "1")
    #expect(
      error?.showingValues().details == ["the fetches that wait for each other: CachedUser 1 → CachedUser 1"]
    )
    // The cache is as before.
    #expect(Flights.shared.waiting(for: try store.store().core().number) == 0)
    #expect(try await world.user(1, Counted()) == "fetched 1")
  }

  /// Fetches 1, whose fetch asks for 2, and so on to the last key, whose fetch asks for the first one.
  private static func fetch(_ id: Int, of last: Int, in store: StoreFixture<TestRepository>) async throws
    -> String
  {
    let cached = try await store.cached(CachedUser.self, forPrimaryKey: id) { id in
      let next = id == last ? 1 : id + 1
      return CachedUser(id, try await fetch(next, of: last, in: store))
    }
    return CacheWorld.text(cached)
  }

  @Test(arguments: StoreKind.allCases, [2, 3, 10])
  func fetchesInACircleFail(_ kind: StoreKind, _ count: Int) async throws {
    let world = try CacheWorld(kind)
    let error = await #expect(throws: FiefError.self) { try await Self.fetch(1, of: count, in: world.store) }
    #expect(error?.code == .fetchCycle && error?.key == "1")
    let keys = ((1...count) + [1]).map { "CachedUser \($0)" }.joined(separator: " → ")
    #expect(error?.showingValues().details == ["the fetches that wait for each other: \(keys)"])
    #expect(try world.store.store().objects(CachedUser.self).fetchCount() == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func twoCallsThatMeetInACircleBothEnd(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    let begun = Counted()
    let call = { @Sendable (first: Int, second: Int) async throws -> String in
      let cached = try await store.cached(CachedUser.self, forPrimaryKey: first) { id in
        begun.add()
        await waitUntil { begun.count == 2 }
        let other = try await store.cached(CachedUser.self, forPrimaryKey: second) { CachedUser($0, "alone") }
        return CachedUser(id, other.value.name)
      }
      return CacheWorld.text(cached)
    }
    async let first = call(1, 2)
    async let second = call(2, 1)
    var codes: [FiefError.Code?] = []
    do { _ = try await first } catch { codes.append((error as? FiefError)?.code) }
    do { _ = try await second } catch { codes.append((error as? FiefError)?.code) }
    #expect(codes == [.fetchCycle, .fetchCycle])
  }

  @Test(arguments: StoreKind.allCases)
  func aFetchMayHandleTheError(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    let cached = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
      let other = try? await store.cached(CachedUser.self, forPrimaryKey: id) { CachedUser($0) }
      return CachedUser(id, other == nil ? "by itself" : "by another fetch")
    }
    #expect(CacheWorld.text(cached) == "fetched by itself")
  }

  @Test(arguments: StoreKind.allCases)
  func anExpiredObjectDoesNotHideACircle(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    try await store.save(entity: CachedUser(1, "old"), update: true)
    let cached = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
      try await store.cached(CachedUser.self, forPrimaryKey: id) { CachedUser($0) }.value
    }
    guard case .stale(let user, let error as FiefError) = cached else {
      Issue.record("\(CacheWorld.text(cached))")
      return
    }
    // The fetch has failed with the error, and the first call has the expired object.
    #expect(user.name == "old" && error.code == .fetchCycle)
  }

  @Test(arguments: StoreKind.allCases)
  func fetchesThatShareOthersAreNoCircle(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    let (begun, fetches) = (Counted(), Counted())
    let cached = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
      let names = try await withThrowingTaskGroup(of: String.self) { group in
        for side in [2, 3] {
          group.addTask {
            try await store.cached(CachedUser.self, forPrimaryKey: side) { id in
              begun.add()
              await waitUntil { begun.count == 2 }
              let last = try await store.cached(CachedUser.self, forPrimaryKey: 4) { id in
                fetches.add()
                return CachedUser(id, "four")
              }
              return CachedUser(id, last.value.name)
            }.value.name
          }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      return CachedUser(id, names.joined(separator: " "))
    }
    #expect(CacheWorld.text(cached) == "fetched four four")
    #expect(fetches.count == 1)
  }
}
