import FiefModel
import Foundation
import TestEffort
import Testing

/// Random graphs with relationships of every kind and rule, in a store and in a plain model. These are a few seeds, in the
/// short form a random one; `make test-model` runs all of them, optimized.
@Suite(.timeLimit(.minutes(20))) struct GraphModelTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["FIEF_MODEL_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    // Another one each time, which its failure names.
    return (TestEffort.isLong ? [1] : []) + [UInt64.random(in: 1_000..<1_000_000)]
  }()

  @Test(arguments: seeds, TypedPlace.allCases) func agreesWithTheModel(seed: UInt64, place: TypedPlace) throws
  {
    var run = GraphRun(seed: seed, isInMemory: place != .disk, operations: 600)
    run.encryption = place.storeOptions.encryption
    let tally = try run.run()
    #expect(tally.operations >= 600 && tally.commits > 100 && tally.checks > 0)
    // A run that has compared nothing would show nothing.
    #expect(tally.compared > 1_000 && tally.queries > 50 && tally.denied > 0 && tally.invalid > 0)
  }
}
