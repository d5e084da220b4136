import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Observers of several stores that are written to together.
@Suite(.timeLimit(.minutes(20))) struct TrackedJointTests {
  private struct Refused: Error {}

  @Test(arguments: [false, true]) func jointWritesAreReportedOrHaveNotBeen(inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var writes = TrackedWrites(random: StressRandom(seed: seed), dogs: 10)
    let directory = try TemporaryDirectory()
    let stores = ["one", "two", "three"].map { name in
      TrackedRepository(
        realmMemoryType: inMemory ? .inMemory(identifier: directory.path + name) : .inStorage,
        directory: directory.path,
        schemaName: name
      )
    }
    for store in stores { try store.write { try writes.fill($0) } }
    let listeners = stores.map { _ in TrackedListener("dogs") }
    let tokens = zip(stores, listeners).map { store, listener in
      store.dogs.sorted(byKeyPath: "rank").observe { change in
        listener.note(change) { $0.map { "\($0.id) " + PlainDog($0).text } }
      }
    }
    for store in stores { try store.delivered() }
    for round in 0..<TestEffort.count(10, more: 60) {
      let isRefused = writes.random.next(4) == 0
      do {
        try StoreManager(repositories: stores).write(to: stores) { joint in
          for store in stores where writes.random.next(3) > 0 {
            let tx = try joint.transaction(of: store)
            for _ in 0..<(1 + writes.random.next(4)) { try writes.step(tx) }
          }
          if isRefused { throw Refused() }
        }
      } catch is Refused {}
      if writes.random.next(3) == 0 { try stores[writes.random.next(3)].write { try writes.step($0) } }
      for (store, listener) in zip(stores, listeners) {
        try store.delivered()
        let expected = try PlainWorld(store).sorted { _ in
          true
        } by: { first, second in
          first.rank == second.rank ? nil : first.rank < second.rank
        }
        #expect(listener.rows == expected.map { "\($0.id) " + $0.text }, "seed \(seed), round \(round)")
        #expect(listener.wrong == [], "seed \(seed), round \(round)")
      }
    }
    withExtendedLifetime(tokens) {}
    for store in stores { store.closeChecked() }
  }
}
