import Fief
import Foundation
import TestEffort
import Testing

/// Conditions on records, compared with the same conditions on plain values.
@Suite(.timeLimit(.minutes(20))) struct EvaluationTests {
  @Test(
    "Random conditions hold for the same objects as on plain values",
    arguments: 0..<TestEffort.count(1, more: 2)
  )
  func random(run: Int) throws {
    let seed = PieceRandom.freshSeed()
    let directory = try TemporaryDirectory()
    let store = try EvaluationStore(directory: directory.path, seed: seed)
    defer { store.repository.closeChecked() }
    let items = try store.plainItems()
    try #require(items.count == 70)
    var random = RandomEvaluation(seed: seed)
    var mixed = 0
    for _ in 0..<400 {
      let condition = random.condition(3)
      let expected = items.filter { PlainEvaluation($0).holds(condition) }.compactMap { $0.key?.bytes }
      let found = try store.keys(condition)
      if found != expected {
        Issue.record("seed \(seed): \(condition)\nfound \(found.count), expected \(expected.count)")
        return
      }
      if !expected.isEmpty, expected.count < items.count { mixed += 1 }
    }
    #expect(mixed > 100, "seed \(seed)")
  }
}
