import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The threads of many observed stores.
@Suite(.timeLimit(.minutes(30))) struct ObservingThreadTests {
  final class Watched: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
  }

  /// The number of threads of the process with a name; 0 if the system does not have it.
  private static func threads(named prefix: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return name?.hasPrefix(prefix) ?? false
    }
  }

  @Test(arguments: StoreKind.allCases) func manyStoresShareThem(_ kind: StoreKind) async throws {
    let count = TestEffort.count(24, more: 75)
    // The system keeps 15 characters of the name of a thread.
    let name = "w" + String(UInt64.random(in: 0..<1 << 20), radix: 36)
    var options = StoreOptions()
    options.durability = .relaxed
    let fixtures = try (0..<count).map { index in
      try StoreFixture(
        TestRepository("\(name)\(index)", version: 1, objectTypes: [Watched.self], options: options),
        kind
      )
    }
    let inserted = Lock<[Int: Set<Int>]>([:])
    let tokens = fixtures.enumerated().map { index, fixture in
      fixture.store().objects(Watched.self).observe { change in
        guard case .update(let results, _, let insertions, _) = change else { return }
        let ids = insertions.compactMap { results[$0]?.id }
        inserted.withLock { $0[index, default: []].formUnion(ids) }
      }
    }
    for round in 0..<3 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for fixture in fixtures {
          group.addTask { try await fixture.write { try $0.add(Watched(value: ["id": round])) } }
        }
        try await group.waitForAll()
      }
      // The first call of a handler has all objects of its moment.
      if round == 0 { for fixture in fixtures { fixture.store().openedCore?.hub.waitUntilDelivered() } }
    }
    await waitUntil { inserted.withLock { $0.values.count { $0.isSuperset(of: [1, 2]) } } == count }
    // The system has a thread for a moment after its last step. A thread for each store would stay.
    await waitUntil { Self.threads(named: "fief notifier") <= 16 }
    await waitUntil { Self.threads(named: "fief.others") <= 1 }
    // Those that write end when there is nothing to write.
    await waitUntil { Self.threads(named: "fief.\(name)") == 0 }
    // Afterwards all of it works again.
    for fixture in fixtures { try await fixture.write { try $0.add(Watched(value: ["id": 3])) } }
    await waitUntil { inserted.withLock { $0.values.count { $0.contains(3) } } == count }
    for token in tokens { token.invalidate() }
    for fixture in fixtures { #expect(try fixture.check().problems.isEmpty) }
  }
}
