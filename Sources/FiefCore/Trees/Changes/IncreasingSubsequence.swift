/// The longest part of a sequence that ascends.
package enum IncreasingSubsequence {
  /// Makes -1 of all numbers that are none of a longest sequence of ascending ones; negative ones are none.
  package static func keep(in numbers: inout [Int32]) {
    /// The ends of the known sequences, by length: of each length the sequence with the least last number.
    var ends: [Int32] = []
    /// The predecessor of each number in the sequence that it ends.
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

  /// The length of the longest sequence that ends below a number. The search begins at the end, which is
  /// where the answer is as long as few elements have moved.
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
