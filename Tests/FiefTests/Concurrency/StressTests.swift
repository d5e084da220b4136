import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

/// 64 tasks write 10,000 objects (2,100 in the short form) into three stores at once, with failures mixed in.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct StressTests {
  @Test(arguments: [true, false])
  func endsWithExactlyWhatWasReported(inMemory: Bool) async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let directory = try TemporaryDirectory()
    let stores = StressRepositories {
      inMemory
        ? StressRepository($0, identifier: directory.path) : StressRepository($0, directory: directory.path)
    }
    defer { stores.close() }
    var workload = StressWorkload(stores: stores, seed: seed)
    workload.units = TestEffort.count(600, more: workload.units)
    try await workload.prepare()
    let log = Lock(StressOutcome())
    await workload.run { event in log.withLock { $0.add(event) } }
    let outcome = log.withLock { $0 }
    let problems = try StressVerifier(stores: stores).problems(outcome, isExact: true)
    #expect(problems.isEmpty, "seed \(seed)")
    #expect(outcome.saved == Set(0..<workload.units), "seed \(seed)")
    #expect(
      outcome.saved.reduce(0) { $0 + StressUnit($1).objectCount } >= TestEffort.count(1_200, more: 10_000)
    )
    let least = TestEffort.count(20, more: 200)
    #expect(outcome.refusals > least && outcome.deleted.count > least, "seed \(seed)")
    guard !inMemory else { return }
    stores.close()
    let again = try StressVerifier(stores: stores).problems(outcome, isExact: true)
    #expect(again.isEmpty, "after reopening, seed \(seed)")
  }
}
