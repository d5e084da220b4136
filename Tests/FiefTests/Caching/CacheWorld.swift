import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// A fresh store with a clock that the test moves.
struct CacheWorld {
  let clock: ManualClock
  let store: StoreFixture<TestRepository>

  init(
    _ kind: StoreKind,
    _ types: [Object.Type] = [CachedUser.self, CachedPlace.self, CachedPrice.self],
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    let clock = ManualClock()
    var options = StoreOptions()
    options.clock = clock.read
    options.intervalClock = clock.intervals
    options.durability = .relaxed
    change(&options)
    self.clock = clock
    store = try StoreFixture(TestRepository(version: 1, objectTypes: types, options: options), kind)
  }

  /// A copy from the store, or fetched with the number of the fetch as its name.
  nonisolated(nonsending) func user(
    _ id: Int = 1,
    _ fetches: Counted,
    _ policy: CachePolicy = .cacheFirst
  ) async throws -> String {
    let cached = try await store.cached(CachedUser.self, forPrimaryKey: id, policy: policy) { id in
      CachedUser(id, "\(try fetches.next())")
    }
    return Self.text(cached)
  }

  static func text(_ cached: Cached<CachedUser>) -> String {
    switch cached {
    case .fresh(let user): "fresh \(user.name)"
    case .fetched(let user): "fetched \(user.name)"
    case .stale(let user, let error): "stale \(user.name)\(error.map { " \($0)" } ?? "")"
    }
  }
}

struct Offline: Error, CustomStringConvertible {
  var description: String { "offline" }
}

/// Counts, and fails on request.
final class Counted: Sendable {
  private let state = Lock((count: 0, isOffline: false))

  var count: Int { state.withLock { $0.count } }
  var isOffline: Bool {
    get { state.withLock { $0.isOffline } }
    set { state.withLock { $0.isOffline = newValue } }
  }

  @discardableResult
  func next() throws -> Int {
    try state.withLock {
      $0.count += 1
      if $0.isOffline { throw Offline() }
      return $0.count
    }
  }

  /// The next number, also of one that fails on request.
  @discardableResult
  func add() -> Int {
    state.withLock {
      $0.count += 1
      return $0.count
    }
  }
}

/// Waits for what other threads bring about; a test that waits for ever ends by its time limit.
func waitUntil(_ isTrue: () throws -> Bool) async rethrows {
  while try !isTrue() { try? await Task.sleep(for: .milliseconds(1)) }
}
