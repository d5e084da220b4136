import FiefModel
import Foundation
import Synchronization

/// Runs the model-based test: for each seed random operations on disk and in memory, two runs at a time.
///
/// `FIEF_MODEL_SEEDS` is the number of seeds (50), `FIEF_MODEL_SEED` a single one, `FIEF_MODEL_OPERATIONS` the number
/// of operations of each (10,000). With 0 for `FIEF_MODEL_SHRINK` the fewest steps that fail are not searched.
@main
struct Main {
  static func main() {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    let operations = number("FIEF_MODEL_OPERATIONS") ?? 10_000
    let seeds = number("FIEF_MODEL_SEED").map { [$0] } ?? Array(1...max(1, number("FIEF_MODEL_SEEDS") ?? 50))
    let runs = seeds.flatMap { seed in
      [true, false].map { GraphRun(seed: UInt64(seed), isInMemory: $0, operations: operations) }
    }
    let isShrinking = number("FIEF_MODEL_SHRINK") != 0
    let next = Atomic(0)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < runs.count else { return }
        let run = runs[index]
        let start = Date()
        let place = "seed \(run.seed) \(run.isInMemory ? "in memory" : "on disk")"
        do {
          let tally = try run.run(isShrinking: isShrinking)
          print("\(place): \(tally), \(Int(Date().timeIntervalSince(start) * 1000)) ms")
        } catch {
          failures.add(1, ordering: .relaxed)
          print("\(place) failed\n\(error)")
        }
        fflush(nil)
      }
    }
    if failures.load(ordering: .relaxed) > 0 { exit(1) }
  }
}
