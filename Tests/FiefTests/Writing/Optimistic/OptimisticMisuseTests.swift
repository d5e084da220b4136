import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Optimistic transactions that are used as they must not be, and that end otherwise.
struct OptimisticMisuseTests {
  private func fixture(_ kind: StoreKind = .inMemory) throws -> StoreFixture<TestRepository> {
    try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
  }

  @Test(arguments: StoreKind.allCases) func aTransactionIsOfNoUseAfterItsBody(_ kind: StoreKind) async throws
  {
    let fixture = try fixture(kind)
    let kept = try await fixture.runTransaction { $0 }
    let uses: [() throws -> Void] = [
      { _ = try kept.get(OptimisticUser.self, forPrimaryKey: "ada") },
      { _ = try kept.getAll(kept.objects(OptimisticUser.self)) },
      { try kept.set(OptimisticUser("ada")) },
      { try kept.delete(OptimisticUser.self, forPrimaryKey: "ada") },
    ]
    for use in uses {
      let error = #expect(throws: FiefError.self) { try use() }
      #expect(error?.code == .transactionEnded)
    }
    #expect(try fixture.store().objects(OptimisticUser.self).fetchCount() == 0)
  }

  @Test func writesInsideOfTheBodyAreRefused() async throws {
    let fixture = try fixture()
    let other = try self.fixture()
    let store = fixture.store()
    let codes = Lock<[FiefError.Code?]>([])
    @Sendable func note(_ body: () async throws -> Void) async {
      do {
        try await body()
        codes.withLock { $0.append(nil) }
      } catch {
        codes.withLock { $0.append((error as? FiefError)?.code) }
      }
    }
    try await store.runTransaction { transaction in
      await note { try await fixture.save(entity: OptimisticUser("ada"), update: true) }
      await note { try fixture.saveAndWait(entity: OptimisticUser("ada")) }
      await note { try await store.write { try $0.add(OptimisticUser("ada")) } }
      await note { try Self.write(to: store) }
      await note { try await store.runTransaction { try $0.set(OptimisticUser("ada")) } }
      await note {
        try await withCheckedThrowingContinuation { continuation in
          store.writeAsync {
            try $0.add(OptimisticUser("ada"))
          } onComplete: { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
          }
        }
      }
      // Another store is none of this one's.
      await note { try await other.save(entity: OptimisticUser("bob"), update: true) }
    }
    #expect(codes.withLock { $0 } == Array(repeating: .nestedWrite, count: 6) + [nil])
    #expect(try store.objects(OptimisticUser.self).fetchCount() == 0)
    // After it everything is as before.
    try await fixture.save(entity: OptimisticUser("ada"), update: true)
    #expect(try store.objects(OptimisticUser.self).fetchCount() == 1)
  }

  private static func write(to store: Store) throws { try store.write { (_: WriteTransaction) in } }

  @Test func attemptsAreCounted() async throws {
    let fixture = try fixture()
    for number in [0, -1, .min] {
      let error = await #expect(throws: FiefError.self) {
        try await fixture.runTransaction(maximumAttempts: number) { _ in }
      }
      #expect(error?.code == .invalidValue)
    }
  }

  @Test func resultsOfAnotherStoreAreRefused() async throws {
    let fixture = try fixture()
    let other = try self.fixture()
    let results = try other.objects(OptimisticUser.self)
    let error = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction { _ = try $0.getAll(results) }
    }
    #expect(error?.code == .foreignObject)
  }

  @Test func aClosedStoreAndAnUnknownTypeAreErrors() async throws {
    let repository = TestRepository(objectTypes: [OptimisticCounter.self])
    let fixture = try StoreFixture(repository)
    let unknown = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction { try $0.set(OptimisticUser("ada")) }
    }
    #expect(unknown?.code == .unknownType)
    let store = fixture.store()
    let closed = await #expect(throws: FiefError.self) {
      try await store.runTransaction { transaction in
        _ = try transaction.get(OptimisticCounter.self, forPrimaryKey: 1)
        try transaction.set(OptimisticCounter(1))
        try await asOthers { fixture.close() }
      }
    }
    #expect(closed?.code == .storeClosed)
  }

  @Test func childTasksReadAndWriteTogether() async throws {
    let fixture = try fixture()
    try fixture.saveAndWait(entities: (1...20).map { OptimisticCounter($0, value: $0) })
    let sum = try await fixture.runTransaction { transaction in
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for id in 1...20 {
          group.addTask { try transaction.get(OptimisticCounter.self, forPrimaryKey: id)?.value ?? 0 }
        }
        return try await group.reduce(0, +)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 21...40 { group.addTask { try transaction.set(OptimisticCounter(id, value: sum)) } }
        try await group.waitForAll()
      }
      return sum
    }
    #expect(sum == 210)
    let counters = try fixture.store().objects(OptimisticCounter.self).all()
    #expect(counters.count == 40 && counters.suffix(20).allSatisfy { $0.value == 210 })
  }

  @Test func aCancelledTaskEndsBetweenAttempts() async throws {
    let fixture = try fixture()
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let attempts = Lock(0)
    let task = Task {
      try await store.runTransaction(maximumAttempts: 1_000) { transaction in
        attempts.withLock { $0 += 1 }
        let counter = try #require(try transaction.get(OptimisticCounter.self, forPrimaryKey: 1))
        try await asOthers {
          try await store.write { $0.objects(OptimisticCounter.self).first?.value += 1 }
        }
        withUnsafeCurrentTask { $0?.cancel() }
        try transaction.set(counter)
      }
    }
    let error = await #expect(throws: FiefError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(attempts.withLock { $0 } == 1)
    #expect(try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1)?.value == 1)
  }

  @Test func waitsAndRandomnessAreTheMachines() async throws {
    let fixture = try fixture()
    let store = fixture.store()
    let core = try #require(store.openedCore)
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let waits = Lock<[Duration]>([])
    var run = OptimisticRun(core: core, visible: nil)
    run.random = { 0 }
    run.wait = { duration in waits.withLock { $0.append(duration) } }
    let error = await #expect(throws: FiefError.self) {
      try await run(maximumAttempts: 4) { transaction in
        let counter = try #require(try transaction.get(OptimisticCounter.self, forPrimaryKey: 1))
        try await asOthers {
          try await store.write { $0.objects(OptimisticCounter.self).first?.value += 1 }
        }
        try transaction.set(counter)
      }
    }
    #expect(error?.details.first == "attempts: 4")
    #expect(waits.withLock { $0 } == [.milliseconds(5), .milliseconds(10), .milliseconds(20)])
  }

  @Test func theCallersIsolationDoesNotMatter() async throws {
    let fixture = try fixture()
    let value = try await Self.onMainActor(fixture.store())
    #expect(value == 7)
  }

  @MainActor private static func onMainActor(_ store: Store) async throws -> Int {
    try await store.runTransaction { transaction in
      try transaction.set(OptimisticCounter(1, value: 7))
    }
    return try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1)?.value ?? 0
  }
}
