import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// What counts as read by an optimistic transaction.
struct OptimisticReadingTests {
  private typealias Fixture = StoreFixture<TestRepository>

  private func fixture(_ kind: StoreKind) throws -> Fixture {
    let fixture = try Fixture(TestRepository(objectTypes: optimisticTypes), kind)
    try fixture.write { transaction in
      let ada = OptimisticUser("ada", points: 1)
      let bob = OptimisticUser("bob", points: 2)
      ada.friend = bob
      ada.address = OptimisticAddress(value: ["city": "London"])
      ada.followers.append(bob)
      try transaction.add(ada)
      try transaction.add(OptimisticCounter(1))
    }
    return fixture
  }

  /// Runs a transaction of one attempt, in the middle of which others change something, and returns whether it was a conflict.
  private func conflicts(
    _ fixture: Fixture,
    reading: @escaping @Sendable (OptimisticTransaction) throws -> Void,
    change: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> Bool {
    let store = fixture.store()
    do {
      try await store.runTransaction(maximumAttempts: 1) { transaction in
        try reading(transaction)
        try await asOthers { try await store.write { try change($0) } }
        try transaction.set(OptimisticCounter(2))
      }
      return false
    } catch let error as FiefError where error.code == .conflict {
      let found = try fixture.store().objects(OptimisticCounter.self).fetchCount()
      #expect(found == 1)
      return true
    }
  }

  private static func ada(_ transaction: OptimisticTransaction) throws -> OptimisticUser {
    try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "ada"))
  }

  private static func user(_ id: String, _ transaction: WriteTransaction) throws -> OptimisticUser {
    try #require(try transaction.object(ofType: OptimisticUser.self, forPrimaryKey: id))
  }

  @Test(arguments: StoreKind.allCases) func aLinkThatIsFollowed(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      let found = try Self.ada($0).friend?.points
      #expect(found == 2)
    } change: {
      try Self.user("bob", $0).points = 3
    }
    #expect(isConflict)
  }

  @Test(arguments: StoreKind.allCases) func aLinkThatIsNotFollowed(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      _ = try Self.ada($0)
    } change: {
      try Self.user("bob", $0).points = 3
    }
    #expect(!isConflict)
  }

  @Test(arguments: StoreKind.allCases) func theObjectsOfAList(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      let found = try Self.ada($0).followers.map(\.points)
      #expect(found == [2])
    } change: {
      try Self.user("bob", $0).points = 3
    }
    #expect(isConflict)
  }

  @Test(arguments: StoreKind.allCases) func anEmbeddedObjectBelongsToItsOwner(_ kind: StoreKind) async throws
  {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      _ = try Self.ada($0)
    } change: {
      try Self.user("ada", $0).address?.city = "Paris"
    }
    #expect(isConflict)
  }

  @Test(arguments: StoreKind.allCases) func anInverseDependsOnEverything(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      let bob = try #require(try $0.get(OptimisticUser.self, forPrimaryKey: "bob"))
      #expect(bob.befriended.map(\.id) == ["ada"])
    } change: {
      try Self.user("ada", $0).friend = nil
    }
    #expect(isConflict)
  }

  @Test(arguments: StoreKind.allCases) func aCountDependsOnEverything(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) {
      let found = try $0.objects(OptimisticUser.self).fetchCount()
      #expect(found == 2)
    } change: {
      try $0.add(OptimisticUser("zoe"))
    }
    #expect(isConflict)
  }

  /// A change in the middle of a long list leaves the record of its owner as it was.
  @Test(arguments: StoreKind.allCases) func aLongListBelongsToItsOwner(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try await fixture.write {
      try Self.user("ada", $0).numbers.append(objectsIn: Array(1_000_000...1_005_000))
    }
    for index in [0, 2_500, 5_000] {
      let isConflict = try await conflicts(fixture) {
        _ = try Self.ada($0)
      } change: {
        try Self.user("ada", $0).numbers[index] += 1
      }
      #expect(isConflict, "element \(index)")
    }
    let isConflict = try await conflicts(fixture) {
      let found = try Self.ada($0).numbers.count
      #expect(found == 5_001)
    } change: {
      try Self.user("bob", $0).points = 9
    }
    #expect(!isConflict)
  }

  enum QueryChange: CaseIterable {
    case changed, added, removed, moved, other
  }

  @Test(arguments: StoreKind.allCases, QueryChange.allCases)
  func aQueryIsAnsweredAgain(_ kind: StoreKind, _ change: QueryChange) async throws {
    let fixture = try fixture(kind)
    let isConflict = try await conflicts(fixture) { transaction in
      let results = transaction.objects(OptimisticUser.self).where { $0.points >= 2 }
        .sorted(byKeyPath: \.points)
      let found = try transaction.getAll(results).map(\.id)
      #expect(found == ["bob"])
    } change: { transaction in
      switch change {
      case .changed: try Self.user("bob", transaction).name = "Bob"
      case .added: try transaction.add(OptimisticUser("zoe", points: 2))
      case .removed: try Self.user("bob", transaction).points = 0
      case .moved: try Self.user("ada", transaction).points = 5
      case .other: try Self.user("ada", transaction).name = "Ada"
      }
    }
    #expect(isConflict == (change != .other))
  }

  @Test(arguments: StoreKind.allCases) func theOrderByALinkIsReadToo(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try await fixture.write { transaction in
      try transaction.add(OptimisticUser(value: ["id": "c1", "friend": Self.user("ada", transaction)]))
      try transaction.add(OptimisticUser(value: ["id": "c2", "friend": Self.user("bob", transaction)]))
    }
    let isConflict = try await conflicts(fixture) { transaction in
      let results = transaction.objects(OptimisticUser.self).where { $0.id.starts(with: "c") }
        .sorted(byKeyPath: "friend.points")
      let found = try transaction.getAll(results).map(\.id)
      #expect(found == ["c1", "c2"])
    } change: {
      try Self.user("ada", $0).points = 7
    }
    #expect(isConflict)
  }

  /// The transfer of points changes both users in one commit; a body never sees one half of it.
  @Test(arguments: StoreKind.allCases) func everyAttemptReadsOneState(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    let others = Once()
    let attempts = Lock<[Int]>([])
    try await store.runTransaction { transaction in
      attempts.withLock { $0.append(transaction.attempt) }
      let ada = try Self.ada(transaction)
      try await others {
        try await asOthers {
          try await store.write {
            try Self.user("ada", $0).points -= 1
            try Self.user("bob", $0).points += 1
          }
        }
      }
      let bob = try #require(try transaction.get(OptimisticUser.self, forPrimaryKey: "bob"))
      guard ada.points + bob.points == 3 else { throw OptimisticFailure(reason: "half of a commit") }
    }
    #expect(attempts.withLock { $0 } == [1, 2])
  }

  /// The same where the second object is found along a link, whose failures are not thrown.
  @Test(arguments: StoreKind.allCases) func aLinkToANewerStateIsNotCommitted(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    let others = Once()
    let sums = Lock<[Int]>([])
    try await store.runTransaction { transaction in
      let ada = try Self.ada(transaction)
      try await others {
        try await asOthers {
          try await store.write {
            try Self.user("ada", $0).points += 1
            try Self.user("bob", $0).points += 1
          }
        }
      }
      let sum = ada.points + (ada.friend?.points ?? 0)
      sums.withLock { $0.append(sum) }
      if sum % 2 == 0 { throw OptimisticFailure(reason: "half of a commit") }
      try transaction.set(OptimisticCounter(2, value: sum))
    }
    #expect(sums.withLock { $0 } == [4, 5])
    let counter = try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 2)
    #expect(counter?.value == 5)
  }

  @Test(arguments: StoreKind.allCases) func nothingIsReadAfterTheFirstWrite(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    try await fixture.runTransaction { transaction in
      try transaction.set(OptimisticCounter(2))
      let reads: [() throws -> Void] = [
        { _ = try transaction.get(OptimisticUser.self, forPrimaryKey: "ada") },
        { _ = try transaction.getAll(transaction.objects(OptimisticUser.self)) },
        { _ = try transaction.objects(OptimisticUser.self).fetchCount() },
      ]
      for read in reads {
        let error = #expect(throws: FiefError.self) { try read() }
        #expect(error?.code == .readAfterWrite)
      }
    }
    let found = try fixture.store().objects(OptimisticCounter.self).fetchCount()
    #expect(found == 2)
  }
}
