import Fief
import FiefLog
import FiefTesting
import Foundation
import Testing

@Suite struct StoredEventTests {
  private let clock = ManualClock()

  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    var options = StoreOptions()
    options.clock = clock.read
    return try StoreFixture(
      TestRepository("events", version: 1, objectTypes: [StoredEvent.self], options: options),
      kind
    )
  }

  @Test(arguments: StoreKind.allCases) func areKeptAndSwept(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try StoreUsage.withLabel("rewards") {
      try store.log(event: "reward_redeemed", ["points_used": 10, "reward_type": "free_coffee"])
    }
    clock.advance(by: 100)
    for _ in 0..<5 { try store.log(event: "opened") }
    try await fixture.writes.waitUntilIdle()
    let first = try #require(store.objects(StoredEvent.self).where { $0.name == "reward_redeemed" }.first)
    #expect(first.label == "rewards" && first.date == Date(timeIntervalSinceReferenceDate: 0))
    #expect(
      first.parameters["points_used"] == .int(10) && first.parameters["reward_type"] == .string("free_coffee")
    )
    #expect(try await store.sweepEvents(olderThan: 100) == 0)
    clock.advance(by: 0.5)
    #expect(try await store.sweepEvents(olderThan: 100) == 1)
    clock.advance(by: 1_000)
    #expect(try await store.sweepEvents(olderThan: 100, limit: 3) == 3)
    #expect(try await store.sweepEvents(olderThan: 100, limit: 3) == 2)
    #expect(store.objects(StoredEvent.self).isEmpty)
  }

  @Test func beyondTheLimitsAreRefused() async throws {
    let fixture = try fixture(.inMemory)
    let store = fixture.store()
    func expectRefused(_ name: String, _ parameters: [String: LogValue] = [:]) {
      let error = #expect(throws: FiefError.self) { try store.log(event: name, parameters) }
      #expect(error?.code == .invalidValue)
    }
    for name in ["", "1a", "_a", "a b", "ä", String(repeating: "a", count: 41)] { expectRefused(name) }
    expectRefused("a", ["b c": 1])
    expectRefused("a", ["b": .string(String(repeating: "x", count: 101))])
    expectRefused("a", Dictionary(uniqueKeysWithValues: (0..<26).map { ("p\($0)", 1) }))
    try store.log(
      event: String(repeating: "a", count: 40),
      ["b": .string(String(repeating: "x", count: 100))]
    )
    try store.log(event: "a", Dictionary(uniqueKeysWithValues: (0..<25).map { ("p\($0)", 1) }))
    try await fixture.writes.waitUntilIdle()
    #expect(store.objects(StoredEvent.self).count == 2)
  }
}
