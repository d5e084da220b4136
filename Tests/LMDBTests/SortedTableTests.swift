import Testing

@testable import LMDB

@Suite("Sorted tables")
struct SortedTableTests {
  @Test("hold what a dictionary holds", arguments: [1, 7, 42] as [UInt64])
  func model(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var table = SortedTable<String, Int>()
    var expected: [String: Int] = [:]
    for step in 0..<2000 {
      let key = "key\(UInt64.random(in: 0..<60, using: &random))"
      switch UInt64.random(in: 0..<4, using: &random) {
      case 0:
        #expect(table.removeValue(of: key) == expected.removeValue(forKey: key), "seed \(seed), step \(step)")
      case 1:
        table[key] = nil
        expected[key] = nil
      default:
        table[key] = step
        expected[key] = step
      }
      #expect(table[key] == expected[key], "seed \(seed), step \(step)")
    }
    #expect(table.allKeys == expected.keys.sorted())
    #expect(table.all == expected.keys.sorted().map { expected[$0] })
    #expect(table.isEmpty == expected.isEmpty)
    table.removeAll { $0 % 2 == 0 }
    expected = expected.filter { $0.value % 2 != 0 }
    #expect(table.allKeys == expected.keys.sorted())
    #expect(table.all == expected.keys.sorted().map { expected[$0] })
  }

  @Test("keep the first of values with the same key")
  func first() {
    let table = SortedTable(["b1", "a1", "b2"]) { String($0.prefix(1)) }
    #expect(table.all == ["a1", "b1"])
    #expect(table["c"] == nil)
    #expect(SortedTable<Int, Int>()[3] == nil)
  }
}

/// A linear congruential generator, so that a failure can be repeated.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
