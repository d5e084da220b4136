import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Queries that share an evaluation.
@Suite(.timeLimit(.minutes(30))) struct QueryCoalescerTests {
  @Test(arguments: StoreKind.allCases) func identicalQueriesShareAnEvaluation(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(kind)
    try await world.store.write { transaction in
      for id in 0..<100 { try transaction.add(CachedUser(id, id % 2 == 0 ? "even" : "odd")) }
    }
    let coalescer = QueryCoalescer(window: .seconds(1), clock: world.clock.intervals)
    let evaluations = Counted()
    let store = world.store.store()
    func names(_ name: String) async throws -> [Int] {
      // Each call describes the query again.
      let users = store.objects(CachedUser.self).where { $0.name == name }.sorted(
        byKeyPath: \.id,
        ascending: false
      )
      return try await coalescer.value(of: users, "ids") { users in
        evaluations.add()
        return users.map(\.id)
      }
    }
    let all = try await withThrowingTaskGroup(of: [Int].self) { group in
      for index in 0..<100 { group.addTask { try await names(index % 2 == 0 ? "even" : "odd") } }
      return try await group.reduce(into: Set<[Int]>()) { $0.insert($1) }
    }
    #expect(evaluations.count == 2)
    #expect(
      all == [Array(stride(from: 98, through: 0, by: -2)), Array(stride(from: 99, through: 1, by: -2))]
    )
    // What is committed within the window is not seen before its end.
    try await world.store.delete(ofType: CachedUser.self, forPrimaryKeys: 10..<100)
    #expect(try await names("even").count == 50)
    await waitUntil { world.clock.sleeping == 1 }
    world.clock.advance(by: 1)
    #expect(try await names("even") == [8, 6, 4, 2, 0] && evaluations.count == 3)
    #expect(try await names("even").count == 5 && evaluations.count == 3)
  }

  @Test(arguments: StoreKind.allCases) func onlyTheSameIsShared(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    try await world.store.write { transaction in
      for id in 0..<10 {
        try transaction.add(CachedUser(id))
        try transaction.add(CachedPlace(value: ["name": "\(id)"]))
      }
    }
    let coalescer = QueryCoalescer(window: .seconds(1), clock: world.clock.intervals)
    let users = world.store.store().objects(CachedUser.self)
    let places = world.store.store().objects(CachedPlace.self)
    #expect(try await coalescer.count(users) == 10)
    #expect(try await coalescer.count(places) == 10)
    #expect(try await coalescer.count(users.limit(3)) == 3)
    #expect(try await coalescer.count(users.offset(3)) == 7)
    #expect(try await coalescer.count(users.where { $0.id < 5 }) == 5)
    #expect(try await coalescer.frozen(users.where { $0.id < 5 }).map(\.id) == [0, 1, 2, 3, 4])
    #expect(
      try await coalescer.frozen(users.where { $0.id < 5 }.sorted(byKeyPath: \.id, ascending: false)).map(
        \.id
      )
        == [4, 3, 2, 1, 0]
    )
    #expect(try await coalescer.value(of: users, "sum") { try $0.fetchSum(of: \.id) as Int } == 45)
    #expect(try await coalescer.value(of: users, "sum") { "\(try $0.fetchCount())" } == "10")
    // Another store has other objects.
    let other = try CacheWorld(kind)
    #expect(try await coalescer.count(other.store.store().objects(CachedUser.self)) == 0)
    // Several questions of one evaluation are of one state.
    let (first, second) = try await coalescer.value(of: users, "twice") { users in
      let first = try users.fetchCount()
      try world.store.saveAndWait(entity: CachedUser(Int.random(in: 100..<1_000_000)))
      return (first, try users.fetchCount())
    }
    #expect(first == second)
  }

  @Test(arguments: StoreKind.allCases) func failuresAreNotKept(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let coalescer = QueryCoalescer(window: .seconds(100), clock: world.clock.intervals)
    let users = world.store.store().objects(CachedUser.self)
    let evaluations = Counted()
    evaluations.isOffline = true
    await #expect(throws: Offline.self) {
      try await coalescer.value(of: users, "n") { _ in try evaluations.next() }
    }
    evaluations.isOffline = false
    #expect(try await coalescer.value(of: users, "n") { _ in try evaluations.next() } == 2)
    #expect(try await coalescer.value(of: users, "n") { _ in try evaluations.next() } == 2)
    let wrong = await #expect(throws: FiefError.self) { try await coalescer.count(users.filter("nope == 1")) }
    #expect(wrong?.code == .unknownProperty)
    let always = QueryCoalescer(window: .zero)
    #expect(try await always.value(of: users, "n") { _ in try evaluations.next() } == 3)
    #expect(try await always.value(of: users, "n") { _ in try evaluations.next() } == 4)
    world.store.close()
    let closed = await #expect(throws: FiefError.self) { try await coalescer.count(users) }
    #expect(closed?.code == .storeClosed)
  }
}
