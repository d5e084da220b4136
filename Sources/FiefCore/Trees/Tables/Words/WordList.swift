import Foundation
import LMDB

/// The distinct words of an object's texts, each with its number of occurrences.
package struct WordList {
  private struct Span {
    var start: Int
    var length: Int
    /// The number of occurrences of the word.
    var count: Int
  }

  private var tokenizer = Tokenizer()
  private var bytes: [UInt8] = []
  private var spans: [Span] = []
  /// The total number of words, including repetitions.
  package private(set) var count = 0

  package init() {}

  /// Collects the words of an index's columns, and replaces the words collected before.
  package mutating func gather(
    _ index: Table.Index,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws {
    bytes.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    count = 0
    for column in index.columns {
      try table.payload(of: column, in: view, key: key) { if let text = $0 { add(text) } }
    }
    merge()
  }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    // The tokenizer is copied so that the closure can modify the other properties.
    var tokenizer = tokenizer
    tokenizer.forEach(text) { token in
      spans.append(Span(start: bytes.count, length: token.bytes.count, count: 1))
      bytes.append(contentsOf: token.bytes)
      return true
    }
    self.tokenizer = tokenizer
  }

  /// Sorts the words and merges equal ones.
  private mutating func merge() {
    count = spans.count
    guard spans.count > 1 else { return }
    bytes.withUnsafeBytes { bytes in
      spans.sort { Self.compare(bytes, $0, bytes, $1) < 0 }
      var kept = 0
      for index in 1..<spans.count {
        if Self.compare(bytes, spans[kept], bytes, spans[index]) == 0 {
          spans[kept].count += 1
        } else {
          kept += 1
          spans[kept] = spans[index]
        }
      }
      spans.removeSubrange((kept + 1)...)
    }
  }

  private static func compare(
    _ bytes: UnsafeRawBufferPointer,
    _ first: Span,
    _ others: UnsafeRawBufferPointer,
    _ second: Span
  ) -> Int {
    bytes[first.start..<(first.start + first.length)]
      .order(beside: others[second.start..<(second.start + second.length)])
  }

  /// Calls `body` with each word and its number of occurrences, in the order of the words' bytes.
  package func forEach(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) rethrows {
    try bytes.withUnsafeBytes { bytes in
      for span in spans {
        try body(UnsafeRawBufferPointer(rebasing: bytes[span.start..<(span.start + span.length)]), span.count)
      }
    }
  }

  /// Returns the number of occurrences of a word, or `nil` if the word does not occur.
  func count(of word: UnsafeRawBufferPointer) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var (low, high) = (0, spans.count)
      while low < high {
        let middle = (low + high) / 2
        let span = spans[middle]
        let order = bytes[span.start..<(span.start + span.length)].order(beside: word[...])
        if order == 0 { return span.count }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      return nil
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Compares the bytes with other bytes. The result is negative, zero or positive.
  fileprivate func order(beside other: Slice<UnsafeRawBufferPointer>) -> Int {
    let first = UnsafeRawBufferPointer(rebasing: self)
    let second = UnsafeRawBufferPointer(rebasing: other)
    let common = Swift.min(first.count, second.count)
    if common > 0, let start = first.baseAddress, let start2 = second.baseAddress {
      // SAFETY: both buffers contain at least `common` bytes.
      let order = memcmp(start, start2, common)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
