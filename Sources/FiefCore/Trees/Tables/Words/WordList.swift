import Foundation
import LMDB

/// The words of an object's texts, each with how often it is there.
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
  /// The number of words, equal ones too.
  package private(set) var count = 0

  package init() {}

  /// Collects the words of an index's columns, in place of those collected before.
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
    // Moved out, so that the closure can write to the rest.
    var tokenizer = tokenizer
    tokenizer.forEach(text) { token in
      spans.append(Span(start: bytes.count, length: token.bytes.count, count: 1))
      bytes.append(contentsOf: token.bytes)
      return true
    }
    self.tokenizer = tokenizer
  }

  /// Sorts the words, and makes one of equal ones.
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

  /// Calls `body` with each word, in the order of their bytes, and how often it is there.
  package func forEach(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) rethrows {
    try bytes.withUnsafeBytes { bytes in
      for span in spans {
        try body(UnsafeRawBufferPointer(rebasing: bytes[span.start..<(span.start + span.length)]), span.count)
      }
    }
  }

  /// The number of occurrences of a word; nil where there is none.
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
  /// Less than, equal to or greater than zero, by bytes.
  fileprivate func order(beside other: Slice<UnsafeRawBufferPointer>) -> Int {
    let first = UnsafeRawBufferPointer(rebasing: self)
    let second = UnsafeRawBufferPointer(rebasing: other)
    let common = Swift.min(first.count, second.count)
    if common > 0, let start = first.baseAddress, let start2 = second.baseAddress {
      // SAFETY: both have as many bytes.
      let order = memcmp(start, start2, common)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
