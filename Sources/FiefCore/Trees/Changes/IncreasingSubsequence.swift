/// The longest increasing subsequence of an array of numbers.
package enum IncreasingSubsequence {
  /// Replaces by -1 every number outside one longest increasing subsequence. Negative numbers never belong to
  /// it.
  package static func keep(in numbers: inout [Int32]) {
    /// The ends of the known subsequences by length: for each length, the subsequence with the smallest last
    /// number.
    var ends: [Int32] = []
    /// The predecessor of each number in the subsequence that it ends.
    var befores: [Int32] = Array(repeating: -1, count: numbers.count)
    for index in numbers.indices {
      let number = numbers[index]
      if number < 0 { continue }
      let length = self.length(below: number, ends, numbers)
      if length > 0 { befores[index] = ends[length - 1] }
      if length == ends.count {
        ends.append(Int32(truncatingIfNeeded: index))
      } else {
        ends[length] = Int32(truncatingIfNeeded: index)
      }
    }
    var kept = ends.last ?? -1
    for index in numbers.indices.reversed() {
      if index == Int(kept) {
        kept = befores[index]
      } else {
        numbers[index] = -1
      }
    }
  }

  /// Returns the length of the longest known subsequence whose last number is below `number`. The search
  /// starts at the end, because the length is near the maximum if few elements have moved.
  private static func length(below number: Int32, _ ends: [Int32], _ numbers: [Int32]) -> Int {
    var high = ends.count
    var step = 1
    var low = high - 1
    while low >= 0, numbers[Int(ends[low])] >= number {
      high = low
      low -= step
      step *= 2
    }
    low = max(low + 1, 0)
    while low < high {
      let middle = (low + high) / 2
      if numbers[Int(ends[middle])] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
