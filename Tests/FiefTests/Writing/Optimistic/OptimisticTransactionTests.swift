import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// Transactions whose bodies may suspend.
struct OptimisticTransactionTests {
  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
  }

  private func points(_ id: String, in fixture: StoreFixture<TestRepository>) throws -> Int? {
    try fixture.store().fetchObject(ofType: OptimisticUser.self, forPrimaryKey: id)?.points
  }

  @Test(arguments: StoreKind.allCases) func pointsAreRedeemedOnce(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 12))
    let store = fixture.store()
    @Sendable func redeem() async throws -> Int {
      try await store.runTransaction { transaction in
        guard let user = try transaction.get(OptimisticUser.self, forPrimaryKey: "ada") else {
          throw OptimisticFailure(reason: "unknown")
        }
        await Task.yield()
        guard user.points >= 10 else { throw OptimisticFailure(reason: "too few points") }
        try transaction.update(
          OptimisticUser.self,
          forPrimaryKey: "ada",
          .increment(\.points, by: -10),
          .timestamp(\.changedAt)
        )
        try transaction.merge(OptimisticPost.self, forPrimaryKey: UUID()) {
          $0.set(\.amount, -10)
          $0.set(\.user, "ada")
          $0.timestamp(\.at)
        }
        return user.points - 10
      }
    }
    #expect(try await redeem() == 2)
    await #expect(throws: OptimisticFailure(reason: "too few points")) { try await redeem() }
    #expect(try points("ada", in: fixture) == 2)
    let entries = try store.objects(OptimisticPost.self).all()
    #expect(entries.map(\.amount) == [-10])
    let user = try #require(try store.fetchObject(ofType: OptimisticUser.self, forPrimaryKey: "ada"))
    #expect(entries.first?.at == user.changedAt && user.changedAt != nil)
  }

  @Test(arguments: StoreKind.allCases) func aChangeOfWhatWasReadRunsTheBodyAgain(_ kind: StoreKind)
    async throws
  {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1))
    let others = Once()
    let attempts = try await store.runTransaction { transaction in
      let user = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
      try await others {
        try await asOthers { try await store.write { $0.objects(OptimisticUser.self).first?.points = 10 } }
      }
      user.points += 1
      try transaction.set(user)
      return transaction.attempt
    }
    #expect(attempts == 2)
    #expect(try points("ada", in: fixture) == 11)
  }

  @Test(arguments: StoreKind.allCases) func oneAttemptEndsInAConflictWithTheKey(_ kind: StoreKind)
    async throws
  {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entities: [OptimisticUser("ada", points: 1), OptimisticUser("bob")])
    let error = await #expect(throws: FiefError.self) {
      try await store.runTransaction(maximumAttempts: 1) { transaction in
        let user = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
        _ = try transaction.get(OptimisticUser.self, forPrimaryKey: "bob")
        try await asOthers { try await store.write { $0.objects(OptimisticUser.self).first?.points = 10 } }
        user.points += 1
        try transaction.set(user)
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.details == ["attempts: 1", "OptimisticUser[…]"])
    #expect(error?.showingValues().details == ["attempts: 1", "OptimisticUser[ada]"])
    #expect(try points("ada", in: fixture) == 10)
  }

  @Test(arguments: StoreKind.allCases) func absenceIsRead(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    let others = Once()
    try await store.runTransaction { transaction in
      let found = try transaction.get(OptimisticUser.self, forPrimaryKey: "ada")
      try await others {
        try await asOthers { try await store.write { try $0.add(OptimisticUser("ada", points: 5)) } }
      }
      let user = found ?? OptimisticUser("ada")
      user.points += 1
      try transaction.set(user)
    }
    #expect(try points("ada", in: fixture) == 6)
  }

  @Test(arguments: StoreKind.allCases) func aDeletionIsAChange(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1))
    let others = Once()
    let wasFound = try await store.runTransaction { transaction in
      let user = try transaction.get(OptimisticUser.self, forPrimaryKey: "ada")
      try await others {
        try await asOthers { try await store.write { try $0.deleteAll(OptimisticUser.self) } }
      }
      if let user { try transaction.set(user) }
      return user != nil
    }
    #expect(!wasFound)
    #expect(try store.objects(OptimisticUser.self).fetchCount() == 0)
  }

  @Test(arguments: StoreKind.allCases) func changesOfOtherObjectsAreNone(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entities: [OptimisticUser("ada", points: 1), OptimisticUser("bob")])
    let attempts = try await store.runTransaction(maximumAttempts: 1) { transaction in
      let user = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
      try await asOthers {
        try await store.write { transaction in
          let bob = try transaction.object(ofType: OptimisticUser.self, forPrimaryKey: "bob")
          bob?.friend = try transaction.object(ofType: OptimisticUser.self, forPrimaryKey: "ada")
        }
      }
      user.points += 1
      try transaction.set(user)
      return transaction.attempt
    }
    #expect(attempts == 1)
    #expect(try points("ada", in: fixture) == 2)
  }

  @Test(arguments: StoreKind.allCases) func theSameValuesAgainAreNoChange(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1))
    try await store.runTransaction(maximumAttempts: 1) { transaction in
      let user = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
      try await asOthers { try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1)) }
      user.points += 1
      try transaction.set(user)
    }
    #expect(try points("ada", in: fixture) == 2)
  }

  @Test(arguments: StoreKind.allCases) func aThrowEndsAtOnceWithNothingWritten(_ kind: StoreKind) async throws
  {
    let fixture = try fixture(kind)
    let calls = Lock(0)
    await #expect(throws: OptimisticFailure(reason: "no")) {
      try await fixture.runTransaction { transaction in
        calls.withLock { $0 += 1 }
        try transaction.set(OptimisticUser("ada"))
        throw OptimisticFailure(reason: "no")
      }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(try points("ada", in: fixture) == nil)
  }

  @Test(arguments: StoreKind.allCases) func writesAreDoneInTheirOrder(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entities: [OptimisticUser("ada", points: 1), OptimisticUser("bob")])
    try await fixture.runTransaction { transaction in
      try transaction.set(OptimisticUser("ada", points: 2))
      try transaction.delete(OptimisticUser.self, forPrimaryKey: "ada")
      try transaction.set(OptimisticUser("ada", points: 3))
      try transaction.delete(OptimisticUser.self, forPrimaryKey: "bob")
    }
    #expect(try points("ada", in: fixture) == 3)
    #expect(try points("bob", in: fixture) == nil)
  }

  @Test(arguments: StoreKind.allCases) func aWriteThatFailsUndoesAll(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticUser("bob"))
    let error = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction { transaction in
        try transaction.set(OptimisticUser("ada"))
        try transaction.set(OptimisticUser("bob"), update: .error)
      }
    }
    #expect(error?.code == .duplicatePrimaryKey)
    let missing = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction { transaction in
        try transaction.set(OptimisticUser("ada"))
        try transaction.delete(OptimisticUser.self, forPrimaryKey: "zoe")
      }
    }
    #expect(missing?.code == .objectNotFound)
    #expect(try points("ada", in: fixture) == nil)
  }

  @Test(arguments: StoreKind.allCases) func aTransactionThatOnlyReadsCommitsNothing(_ kind: StoreKind)
    async throws
  {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entities: [OptimisticUser("ada", points: 3), OptimisticUser("bob", points: 4)])
    let core = try #require(fixture.store().openedCore)
    let before = try core.read { $0.id }
    let sum = try await fixture.runTransaction { transaction in
      try ["ada", "bob"].compactMap { try transaction.get(OptimisticUser.self, forPrimaryKey: $0)?.points }
        .reduce(0, +)
    }
    #expect(sum == 7)
    #expect(try core.read { $0.id } == before)
  }

  @Test(arguments: StoreKind.allCases) func observersSeeTheCommitOnce(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1))
    let changes = try fixture.objects(OptimisticUser.self).changes().makeAsyncIterator()
    _ = try await changes.next()
    try await fixture.runTransaction { transaction in
      let user = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
      user.points = 9
      try transaction.set(user)
      try transaction.set(OptimisticUser("bob"))
    }
    guard case .update(let results, _, let insertions, let modifications)? = try await changes.next() else {
      Issue.record("no update")
      return
    }
    #expect(insertions == [1] && modifications == [0])
    #expect(results.map(\.points) == [9, 0])
  }

  @Test(arguments: StoreKind.allCases) func fieldsAreAppliedAtTheCommit(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticUser("ada", points: 1))
    try await store.runTransaction(maximumAttempts: 1) { transaction in
      try transaction.update(OptimisticUser.self, forPrimaryKey: "ada", .increment(\.points))
      try transaction.update(OptimisticUser.self, forPrimaryKey: "ada", ["name": .value("Ada")])
      try transaction.merge(OptimisticUser.self, forPrimaryKey: "bob", .increment(\.points, by: 5))
      try transaction.merge(OptimisticUser.self, forPrimaryKey: "bob", ["points": .increment(2)])
      try await asOthers { try await store.write { $0.objects(OptimisticUser.self).first?.points = 40 } }
    }
    #expect(try points("ada", in: fixture) == 41)
    #expect(try points("bob", in: fixture) == 7)
    let missing = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction { transaction in
        try transaction.set(OptimisticUser("eve"))
        try transaction.update(OptimisticUser.self, forPrimaryKey: "zoe", .increment(\.points))
      }
    }
    #expect(missing?.code == .objectNotFound)
    #expect(try points("eve", in: fixture) == nil)
    let unknown = await #expect(throws: FiefError.self) {
      try await fixture.runTransaction {
        try $0.update(OptimisticUser.self, forPrimaryKey: "ada", ["nothing": .value(1)])
      }
    }
    #expect(unknown?.code == .unknownProperty)
  }
}
