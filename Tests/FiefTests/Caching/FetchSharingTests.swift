import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// Calls for one object that share a fetch, and leave it.
@Suite(.timeLimit(.minutes(30))) struct FetchSharingTests {
  @Test(arguments: StoreKind.allCases) func callsForOneKeyShareAFetch(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let (fetches, begun) = (Counted(), Counted())
    let store = world.store
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 {
        group.addTask {
          begun.add()
          let user = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
            await waitUntil { begun.count == 100 }
            return CachedUser(id, "\(fetches.add())")
          }
          return CacheWorld.text(user)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(fetches.count == 1 && texts.count == 100)
    // One may have begun when all others had their object.
    #expect(Set(texts).isSubset(of: ["fetched 1", "fresh 1"]) && texts.contains("fetched 1"))
    #expect(store.store().metrics.writes == 1)
  }

  /// Stops a call after its lookup, when it asks the clock whether the object has expired.
  private final class Gate: Sendable {
    @TaskLocal static var current: Gate?

    let arrived = Counted()
    let opened = Counted()

    func pass() {
      arrived.add()
      while opened.count == 0 { usleep(100) }
    }
  }

  /// Runs a call on threads of its own, so that a gate stops no other task.
  private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test(arguments: StoreKind.allCases) func anObjectIsNotFetchedAgainAfterALookupThatWasEarlier(
    _ kind: StoreKind
  ) async throws {
    let world = try CacheWorld(kind) { options in
      let read = options.clock
      options.clock = {
        Gate.current?.pass()
        return read()
      }
    }
    let fetches = Counted()
    #expect(try await world.user(1, fetches) == "fetched 1")
    for (policy, text) in [(CachePolicy.cacheFirst, "fresh"), (.staleWhileRevalidate, "stale")] {
      let before = fetches.count
      world.clock.advance(by: 4000)
      let gate = Gate()
      let early = Task(executorPreference: OwnThreads()) {
        try await Gate.$current.withValue(gate) { try await world.user(1, fetches, policy) }
      }
      await waitUntil { gate.arrived.count > 0 }
      #expect(try await world.user(1, fetches) == "fetched \(before + 1)")
      gate.opened.add()
      #expect(try await early.value == "\(text) \(text == "fresh" ? before + 1 : before)")
      #expect(try await world.user(1, fetches) == "fresh \(before + 1)")
      // A call that must fetch is not satisfied by a fetch that was not needed.
      #expect(try await world.user(1, fetches, .networkOnly) == "fetched \(before + 2)")
      #expect(fetches.count == before + 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func aCancelledCallLeavesTheFetchToOthers(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    let store = world.store
    let (isOpen, begun, ended) = (Counted(), Counted(), Counted())
    let call = { @Sendable () async throws -> String in
      let user = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
        begun.add()
        defer { ended.add() }
        while isOpen.count == 0 { try await Task.sleep(nanoseconds: 100_000) }
        return CachedUser(id, "one")
      }
      return CacheWorld.text(user)
    }
    let (first, second) = (Task { try await call() }, Task { try await call() })
    let number = try store.store().core().number
    await waitUntil { begun.count == 1 && Flights.shared.waiting(for: number) == 2 }
    first.cancel()
    let error = await #expect(throws: FiefError.self) { try await first.value }
    #expect(error?.code == .cancelled && ended.count == 0)
    isOpen.add()
    #expect(try await second.value == "fetched one" && begun.count == 1)
  }

  @Test(arguments: StoreKind.allCases) func theFetchIsCancelledWithItsLastCall(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(kind)
    let store = world.store
    let (begun, cancelled) = (Counted(), Counted())
    let calls = (0..<3).map { _ in
      Task {
        _ = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
          begun.add()
          while !Task.isCancelled { try? await Task.sleep(nanoseconds: 100_000) }
          cancelled.add()
          // It does not care: nothing of it is saved all the same.
          return CachedUser(id, "late")
        }
      }
    }
    let number = try store.store().core().number
    await waitUntil { begun.count == 1 && Flights.shared.waiting(for: number) == 3 }
    for call in calls { call.cancel() }
    for call in calls { await #expect(throws: FiefError.self) { try await call.value } }
    await waitUntil { cancelled.count == 1 }
    // Another call starts another fetch.
    #expect(try await world.user(1, Counted()) == "fetched 1")
    #expect(try store.fetchObject(ofType: CachedUser.self, forPrimaryKey: 1)?.name == "1")
  }

  @Test(arguments: StoreKind.allCases) func aClosedStoreEndsTheCalls(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let handle = world.store.store()
    let (isOpen, begun) = (Counted(), Counted())
    let call = Task {
      _ = try await handle.cached(CachedUser.self, forPrimaryKey: 1) { id in
        begun.add()
        await waitUntil { isOpen.count == 1 }
        return CachedUser(id, "one")
      }
    }
    await waitUntil { begun.count == 1 }
    handle.close()
    isOpen.add()
    let error = await #expect(throws: FiefError.self) { try await call.value }
    #expect(error?.code == .storeClosed)
  }

  @Test(arguments: StoreKind.allCases) func aFetchThatIsInvalidatedIsRepeated(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(kind)
    let store = world.store
    let (isOpen, begun) = (Counted(), Counted())
    let call = Task {
      let user = try await store.cached(CachedUser.self, forPrimaryKey: 1) { id in
        let number = begun.add()
        await waitUntil { isOpen.count == 1 }
        return CachedUser(id, "\(number)")
      }
      return CacheWorld.text(user)
    }
    await waitUntil { begun.count == 1 }
    try await store.invalidate(type: CachedUser.self, key: 1)
    isOpen.add()
    #expect(try await call.value == "fetched 2" && begun.count == 2)
    // What was fetched first is not saved.
    #expect(store.store().usage().total.writes == 1)
  }
}
