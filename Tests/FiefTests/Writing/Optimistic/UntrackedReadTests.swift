import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Reads through the store in the body of an optimistic transaction, which does not note them.
@Suite(.timeLimit(.minutes(30))) struct UntrackedReadTests {
  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let fixture = try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
    let ada = OptimisticUser("ada", points: 1)
    ada.friend = OptimisticUser("bob")
    try fixture.saveAndWait(entities: [ada])
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    return fixture
  }

  @Test(arguments: StoreKind.allCases)
  func theFirstReadThroughTheStoreIsAnEvent(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    let reads: [@Sendable () throws -> Void] = [
      { _ = store.objects(OptimisticCounter.self).first },
      { _ = try store.objects(OptimisticCounter.self).fetchCount() },
      { for _ in store.objects(OptimisticCounter.self) {} },
      { _ = try store.objects(OptimisticCounter.self).all() },
      { _ = try store.objects(OptimisticCounter.self).select(\.value).all() },
      { _ = store.object(ofType: OptimisticCounter.self, forPrimaryKey: 1) },
      { _ = try fixture.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1) },
      { _ = try fixture.count(OptimisticCounter.self) },
      { _ = try fixture.exists(OptimisticCounter.self, forPrimaryKey: 1) },
      { _ = try store.read { $0.objects(OptimisticCounter.self).first } },
    ]
    for (number, read) in reads.enumerated() {
      let events = try await withExpectedEvents {
        try await store.runTransaction { transaction in
          try read()
          try read()
          _ = try transaction.get(OptimisticUser.self, forPrimaryKey: "ada")
        }
      }
      #expect(events.map(\.failure?.code) == [.untrackedRead], "read \(number)")
      guard case .misuse(let error)? = events.first else {
        Issue.record("\(events)")
        return
      }
      #expect(error.message.contains("get(_:forPrimaryKey:)"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func allAttemptsReportOnce(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    let attempts = Lock(0)
    let events = try await withExpectedEvents {
      try await store.runTransaction(maximumAttempts: 3) { transaction in
        let attempt = attempts.withLock { attempts in
          attempts += 1
          return attempts
        }
        let counter = try #require(try transaction.get(OptimisticCounter.self, forPrimaryKey: 1))
        _ = store.object(ofType: OptimisticCounter.self, forPrimaryKey: 1)
        if attempt < 3 {
          try await asOthers {
            try await store.write { $0.objects(OptimisticCounter.self).first?.value += 1 }
          }
        }
        counter.value += 1
        try transaction.set(counter)
      }
    }
    #expect(attempts.withLock { $0 } == 3)
    #expect(events.map(\.failure?.code) == [.untrackedRead])
  }

  @Test(arguments: StoreKind.allCases)
  func readsOfTheTransactionAndOfOthersAreNone(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let other = try self.fixture(kind)
    let store = fixture.store()
    try await store.runTransaction { transaction in
      let ada = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
      #expect(ada.friend?.id == "bob" && ada.friend?.befriended.first?.id == "ada")
      #expect(try transaction.getAll(transaction.objects(OptimisticUser.self)).count == 2)
      #expect(transaction.objects(OptimisticUser.self).count == 2)
      // Another store, and another task.
      #expect(other.store().objects(OptimisticUser.self).count == 2)
      #expect(try await asOthers { store.objects(OptimisticUser.self).count } == 2)
      ada.points += 1
      try transaction.set(ada)
    }
    #expect(store.objects(OptimisticUser.self).count == 2)
  }
}
