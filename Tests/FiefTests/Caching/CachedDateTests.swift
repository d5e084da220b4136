import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefOperations

/// The dates that ages are counted from.
@Suite(.timeLimit(.minutes(30))) struct CachedDateTests {
  @Test(arguments: StoreKind.allCases) func datesAreDerivedAssignedOrSet(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    world.clock.advance(by: 1000)
    let fetches = Counted()
    func price() async throws -> Cached<CachedPrice> {
      try await store.cached(CachedPrice.self, forPrimaryKey: ["north", 7] as [any Sendable]) { _ in
        fetches.add()
        return CachedPrice(value: ["north", 7, 30] as [Any])
      }
    }
    #expect(try await price().value.changedAt == Date(timeIntervalSinceReferenceDate: 1000))
    world.clock.advance(by: 11)
    // The contents are the same, and yet it is new.
    #expect(try await price().value.changedAt == Date(timeIntervalSinceReferenceDate: 1011))
    guard case .fresh = try await price() else {
      Issue.record("not fresh")
      return
    }
    #expect(fetches.count == 2)
    // A date that the fetch knows stays.
    let place = try await store.cached(CachedPlace.self, forPrimaryKey: "home") { name in
      CachedPlace(value: ["name": name, "cachedAt": Date(timeIntervalSinceReferenceDate: 990)])
    }
    #expect(
      place.value.cachedAt == Date(timeIntervalSinceReferenceDate: 990)
        && store.isExpired(place.value) == false
    )
    let other = try await store.cached(CachedPlace.self, forPrimaryKey: "work") {
      CachedPlace(value: ["name": $0])
    }
    #expect(other.value.cachedAt == Date(timeIntervalSinceReferenceDate: 1011))
    world.clock.advance(by: 60)
    #expect(store.isExpired(place.value) && !store.isExpired(other.value))
    // A lifetime of the call's own.
    let short = try await store.cached(CachedPlace.self, forPrimaryKey: "work", lifetime: 59) {
      CachedPlace(value: ["name": $0])
    }
    guard case .fetched = short else {
      Issue.record("\(short)")
      return
    }
  }

  @Test(arguments: StoreKind.allCases) func invalidatedObjectsAreFetchedAgain(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(kind)
    let store = world.store
    let fetches = Counted()
    func fetchAll() async throws -> [Bool] {
      let user = try await store.cached(CachedUser.self, forPrimaryKey: 1) {
        CachedUser($0, "\(fetches.add())")
      }
      let place = try await store.cached(CachedPlace.self, forPrimaryKey: "a") { CachedPlace(value: [$0]) }
      let price = try await store.cached(CachedPrice.self, forPrimaryKey: ["a", 1] as [any Sendable]) { _ in
        CachedPrice(value: ["a", 1, 5] as [Any])
      }
      func isFetched<Value>(_ cached: Cached<Value>) -> Bool {
        if case .fetched = cached { true } else { false }
      }
      return [isFetched(user), isFetched(place), isFetched(price)]
    }
    #expect(try await fetchAll() == [true, true, true])
    #expect(try await fetchAll() == [false, false, false])
    try await store.invalidate(type: CachedUser.self, key: 1)
    try await store.invalidate(type: CachedPlace.self, key: "a")
    try await store.invalidate(type: CachedPrice.self, key: ["a", 1] as [Any])
    let price = try #require(
      try store.fetchObject(ofType: CachedPrice.self, forPrimaryKey: ["a", 1] as [Any])
    )
    #expect(price.changedAt == nil && price.amount == 5 && store.isExpired(price))
    #expect(try store.check().problems.isEmpty)
    if kind.outlivesClosing { store.close() }
    #expect(try await fetchAll() == [true, true, true])
    #expect(try await fetchAll() == [false, false, false])
    // One that is not there.
    try await store.invalidate(type: CachedUser.self, key: 99)
    #expect(try store.count(CachedUser.self) == 1)
  }
}
