import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefOperations

/// Random calls of a cache.
@Suite(.timeLimit(.minutes(30))) struct CachingModelTests {
  /// Random calls, as a dictionary of dates has them.
  @Test(arguments: StoreKind.allCases) func callsAreAsAModelHasThem(_ kind: StoreKind) async throws {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    let world = try CacheWorld(kind)
    let fetches = Counted()
    /// The name and the date of each object; nil for one that was invalidated.
    var model: [Int: (name: Int, date: Double?)] = [:]
    for step in 0..<400 {
      let id = Int.random(in: 0..<4, using: &random)
      let now = world.clock.now.timeIntervalSinceReferenceDate
      func isExpired(_ date: Double?) -> Bool { date.map { now - $0 > 3600 || $0 > now } ?? true }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: world.clock.advance(by: Double(Int.random(in: -900...2700, using: &random)))
      case 1:
        try await world.store.invalidate(type: CachedUser.self, key: id)
        model[id]?.date = nil
      case 2:
        let expired = model.filter { isExpired($0.value.date) }
        #expect(try await world.store.sweepExpired() == expired.count, "seed \(seed), step \(step)")
        for key in expired.keys { model[key] = nil }
      default:
        let policy =
          [CachePolicy.cacheFirst, .cacheFirst, .networkOnly, .cacheOnly].randomElement(using: &random)
          ?? .cacheFirst
        fetches.isOffline = Int.random(in: 0..<3, using: &random) == 0
        var expected = "none"
        if let known = model[id], policy != .networkOnly, !isExpired(known.date) {
          expected = "fresh \(known.name)"
        } else if policy == .cacheOnly {
          if let known = model[id] { expected = "stale \(known.name)" }
        } else if fetches.isOffline {
          if policy != .networkOnly, let known = model[id] { expected = "stale \(known.name) offline" }
        } else {
          model[id] = (fetches.count + 1, now)
          expected = "fetched \(fetches.count + 1)"
        }
        var found = "none"
        do { found = try await world.user(id, fetches, policy) } catch {}
        #expect(found == expected, "seed \(seed), step \(step)")
      }
    }
  }
}
