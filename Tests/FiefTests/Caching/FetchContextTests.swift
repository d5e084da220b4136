import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefOperations

private enum Caller {
  @TaskLocal static var name: String?
}

/// The task in which a fetch runs has nothing of the task of the first call.
@Suite(.timeLimit(.minutes(30))) struct FetchContextTests {
  @Test(arguments: StoreKind.allCases)
  func aFetchThatBeganInATransactionServesOthers(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let store = world.store
    let number = try store.store().core().number
    let (begun, isOpen) = (Counted(), Counted())
    let call = { @Sendable () async throws -> String in
      let user = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
        begun.add()
        await waitUntil { isOpen.count > 0 }
        return CachedUser(id, "one")
      }
      return CacheWorld.text(user)
    }
    // The call reads through the store in the body.
    try await withExpectedEvents {
      async let inside = store.store().runTransaction { _ in try await call() }
      await waitUntil { begun.count == 1 }
      let unrelated = Task.detached { try await call() }
      await waitUntil { Flights.shared.waiting(for: number) == 2 }
      isOpen.add()
      let texts = try await [unrelated.value, inside]
      #expect(texts == ["fetched one", "fetched one"])
    }
    #expect(begun.count == 1)
  }

  @Test(arguments: StoreKind.allCases, CachePolicy.allCases)
  func aFetchInheritsNoTaskLocalValue(_ kind: StoreKind, _ policy: CachePolicy) async throws {
    if policy == .cacheOnly { return }
    let world = try CacheWorld(kind)
    try await world.store.save(entity: CachedUser(1, "old"), update: true)
    let names = Lock<[String?]>([])
    try await Caller.$name.withValue("first") {
      try await StoreUsage.withLabel("label") {
        _ = try await world.store.cached(CachedUser.self, forPrimaryKey: 1, policy: policy) { id in
          names.withLock { $0 += [Caller.name, StoreUsage.label] }
          return CachedUser(id, "new")
        }
      }
    }
    let store = world.store.store()
    await waitUntil { store.object(ofType: CachedUser.self, forPrimaryKey: 1)?.name == "new" }
    #expect(names.withLock { $0 } == [nil, nil])
  }

  @Test(arguments: StoreKind.allCases)
  func aFetchUsesTheStoresOfItsTest(_ kind: StoreKind) async throws {
    let make = { @Sendable in TestRepository(version: 1, objectTypes: [CachedUser.self]) }
    try await withFreshStores(kind) {
      let repository = make()
      try await repository.save(entity: CachedUser(2, "other"), update: true)
      let cached = try await repository.cached(CachedUser.self, forPrimaryKey: 1) { id in
        CachedUser(id, make().object(ofType: CachedUser.self, forPrimaryKey: 2)?.name ?? "none")
      }
      #expect(cached.value.name == "other")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSharedQueryInheritsNoTaskLocalValue(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let coalescer = QueryCoalescer(window: .milliseconds(1))
    let users = try world.store.objects(CachedUser.self)
    let name = try await Caller.$name.withValue("first") {
      try await coalescer.value(of: users, "name") { _ in Caller.name ?? "none" }
    }
    #expect(name == "none")
  }
}
