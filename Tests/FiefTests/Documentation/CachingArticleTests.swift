import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Caching what comes from elsewhere*.
@Suite(.freshStores) struct CachingArticleTests {
  // Documentation: begin model
  final class Profile: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
    @Persisted(indexed: true) var cachedAt: Date?

    override class func lifetime() -> Lifetime? { Lifetime(3600, since: "cachedAt") }
  }
  // Documentation: end model

  // Documentation: begin bounds
  final class Thumbnail: Object {
    @Persisted(primaryKey: true) var url = ""
    @Persisted var image = Data()
    @Persisted(indexed: true) var cachedAt: Date?

    override class func lifetime() -> Lifetime? {
      Lifetime(.infinity, since: \Thumbnail.cachedAt, maximumCount: 500, maximumBytes: 64 << 20)
    }
  }
  // Documentation: end bounds

  /// The stand-in for a service.
  struct API: Sendable {
    struct Unreachable: Error {}

    let calls = Counted()

    func profile(_ id: String) async throws -> Profile {
      if calls.isOffline { throw Unreachable() }
      return Profile(value: ["id": id, "name": "\(id) \(calls.add())"])
    }
  }

  private let api = API()
  private let clock = ManualClock()

  private var profiles: TestRepository {
    var options = StoreOptions()
    options.clock = clock.read
    return TestRepository("profiles", objectTypes: [Profile.self, Thumbnail.self], options: options)
  }

  // Documentation: begin read
  func profile(_ id: String) async throws -> Profile {
    let cached = try await profiles.cached(Profile.self, forPrimaryKey: id) { id in
      try await api.profile(id)
    }
    switch cached {
    case .fresh, .fetched: break
    case .stale(_, let error): print("The profile is old:", error.map { "\($0)" } ?? "")
    }
    return cached.value
  }
  // Documentation: end read

  @Test func profilesAreFetchedWhenTheyAreOld() async throws {
    for _ in 0..<2 { #expect(try await profile("ana").name == "ana 1") }
    clock.advance(by: 4000)
    api.calls.isOffline = true
    #expect(try await profile("ana").name == "ana 1")
    api.calls.isOffline = false
    // Documentation: begin behind
    let policy = CachePolicy.staleWhileRevalidate
    let shown = try await profiles.cached(Profile.self, forPrimaryKey: "ana", policy: policy) { id in
      try await api.profile(id)
    }
    // Documentation: end behind
    #expect(shown.isStale && shown.value.name == "ana 1")
    await waitUntil { profiles.object(ofType: Profile.self, forPrimaryKey: "ana")?.name == "ana 2" }
    // Documentation: begin invalidate
    try await profiles.invalidate(type: Profile.self, key: "ana")
    // Documentation: end invalidate
    #expect(try await profile("ana").name == "ana 3")
    clock.advance(by: 4000)
    // Documentation: begin sweep
    while try await profiles.sweepExpired(limit: 1000) > 0 {}
    // Documentation: end sweep
    #expect(try profiles.count(Profile.self) == 0)
  }

  @Test func callsAreThrottledAndQueriesShared() async throws {
    // Documentation: begin throttle
    let throttle = Throttle(maximum: 10, per: .seconds(1))

    func fetch(_ id: String) async throws -> Profile {
      try await throttle.run { try await api.profile(id) }
    }
    // Documentation: end throttle
    for id in ["ben", "ana"] { try await profiles.save(entity: fetch(id), update: true) }
    let profiles = profiles
    // Documentation: begin coalesce
    let coalescer = QueryCoalescer(window: .milliseconds(100))

    func names() async throws -> [String] {
      let all = try profiles.objects(Profile.self).sorted(byKeyPath: \.name)
      return try await coalescer.value(of: all, "names") { profiles in profiles.map(\.name) }
    }
    // Documentation: end coalesce
    #expect(try await names() == ["ana 2", "ben 1"])
  }

  @Test func aTestMovesTheClock() async throws {
    // Documentation: begin test
    let clock = ManualClock()
    var options = StoreOptions()
    options.clock = clock.read
    let store = try StoreFixture(TestRepository(objectTypes: [Profile.self], options: options))
    _ = try await store.cached(Profile.self, forPrimaryKey: "ana") { Profile(value: ["id": $0]) }
    clock.advance(by: 3600.001)
    #expect(try await store.sweepExpired() == 1)
    // Documentation: end test
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("Caching", as: #filePath) }
}
