import Foundation
import Testing

@testable import FiefCore

/// The merge of sorted runs in a temporary file.
@Suite struct SortMergeTests {
  private final class Count {
    var comparisons = 0
  }

  @Test(
    "the next row costs comparisons by the logarithm of the number of runs",
    arguments: [1, 2, 7, 64, 500]
  )
  func comparisons(runs: Int) throws {
    let each = 20
    let spill = try SortSpill(nil)
    var numbers = Array(0..<(runs * each))
    var random = SeededGenerator(seed: 5)
    numbers.shuffle(using: &random)
    for run in 0..<runs {
      var (entries, bytes): ([RowSorter.Entry], [UInt8]) = ([], [])
      for number in numbers[(run * each)..<((run + 1) * each)].sorted() {
        let key = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        entries.append(
          RowSorter.Entry(prefix: 0, offset: bytes.count, sortCount: 4, keyCount: 0, extraCount: 0)
        )
        bytes += key
      }
      try bytes.withUnsafeBytes { try spill.append(entries, $0) }
    }
    let count = Count()
    let merge = try spill.merge { first, second in
      count.comparisons += 1
      return first.sort.lexicographicallyPrecedes(second.sort)
    }
    var found: [Int] = []
    while let reader = try merge.next() {
      reader.withBytes { bytes in
        found.append(reader.entry.keys(in: bytes).sort.reduce(0) { $0 << 8 | Int($1) })
      }
    }
    #expect(found == Array(0..<(runs * each)))
    // A step down the heap compares with two children, each comparison perhaps in both directions.
    let levels = Int(log2(Double(runs)).rounded(.up)) + 1
    #expect(count.comparisons <= runs * each * 4 * levels, "\(count.comparisons) comparisons")
  }
}
