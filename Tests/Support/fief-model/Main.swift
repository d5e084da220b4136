import FiefModel
import FiefTreeModel
import Foundation
import Synchronization

/// Runs the model-based tests, two runs at a time: for each seed random operations on a graph, on disk and in
/// memory, and on trees, on disk, in memory and encrypted.
///
/// `FIEF_MODEL_SEEDS` is the number of seeds of graphs (50); trees have 20 times as many. `FIEF_MODEL_SEED` is a
/// single seed of both, `FIEF_MODEL_OPERATIONS` the number of operations for each seed of a graph (10,000); trees
/// have 300. With 0 for `FIEF_MODEL_SHRINK` the fewest steps that fail are not searched.
@main
struct Main {
  private struct Run: Sendable {
    let name: String
    /// Runs, and returns the counts.
    let body: @Sendable () throws -> String
  }

  static func main() {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    let operations = number("FIEF_MODEL_OPERATIONS") ?? 10_000
    let count = max(1, number("FIEF_MODEL_SEEDS") ?? 50)
    func seeds(_ factor: Int) -> [UInt64] {
      (number("FIEF_MODEL_SEED").map { [$0] } ?? Array(1...(count * factor))).map { UInt64($0) }
    }
    let isShrinking = number("FIEF_MODEL_SHRINK") != 0
    let graphs = seeds(1).flatMap { seed in
      [true, false].map { isInMemory in
        Run(name: "seed \(seed) \(isInMemory ? "in memory" : "on disk")") {
          let run = GraphRun(seed: seed, isInMemory: isInMemory, operations: operations)
          return "\(try run.run(isShrinking: isShrinking))"
        }
      }
    }
    let trees = seeds(20).flatMap { seed in
      TreeRun.Kind.allCases.map { kind in
        Run(name: "tree, seed \(seed) \(kind.rawValue)") {
          "\(try TreeRun(seed: seed, kind: kind, operations: 300).run(isShrinking: isShrinking))"
        }
      }
    }
    let runs = graphs + trees
    let next = Atomic(0)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < runs.count else { return }
        let start = Date()
        do {
          let tally = try runs[index].body()
          print("\(runs[index].name): \(tally), \(Int(Date().timeIntervalSince(start) * 1000)) ms")
        } catch {
          failures.add(1, ordering: .relaxed)
          print("\(runs[index].name) failed\n\(error)")
        }
        fflush(nil)
      }
    }
    if failures.load(ordering: .relaxed) > 0 { exit(1) }
  }
}
