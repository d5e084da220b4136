import Fief
import FiefTreeModel
import Foundation
import TestEffort
import Testing

/// Random operations, queries, indexes and observations of a tree and of a dictionary, which must agree.
/// `make test-model` runs a thousand seeds, optimized.
struct TreeModelTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["FIEF_MODEL_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    // The last one is another one each time, which its failure names.
    return Array(1..<UInt64(TestEffort.count(2, more: 8))) + [UInt64.random(in: 10_000..<1_000_000)]
  }()

  @Test(.timeLimit(.minutes(20)), arguments: TreeRun.Kind.allCases, seeds)
  func agreesWithTheModel(_ kind: TreeRun.Kind, _ seed: UInt64) async throws {
    let result = Lock<Result<TreeDriver.Tally, any Error>?>(nil)
    await withCheckedContinuation { continuation in
      // A run blocks its thread.
      DispatchQueue.global().async {
        let outcome = Result { try TreeRun(seed: seed, kind: kind, operations: 300).run() }
        result.withLock { $0 = outcome }
        continuation.resume()
      }
    }
    let tally = try #require(result.withLock { $0 }).get()
    // A run that has compared nothing would show nothing.
    #expect(tally.steps == 300 && tally.commits > 60 && tally.compared > 150 && tally.questions > 50)
    #expect(tally.unchanged > 0 && tally.aborted > 0 && tally.queries > 20 && tally.delivered > 20)
    // A random seed may have no index at the right time.
    #expect(tally.indexed > 0 || seed >= 10_000)
  }
}

extension DatabaseConfigurable {
  /// Returns the number of objects of a type by its name.
  func count(of type: String) throws -> Int {
    let core = try store().core()
    return try core.read { try core.count(try core.tables.table(named: type), in: $0) }
  }
}
