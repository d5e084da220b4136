/// A text as a key. It is compared and ordered by its UTF-8 bytes.
///
/// Swift's comparison of strings ignores how a character is composed: `"caf\u{E9}" == "cafe\u{301}"`. A store
/// treats the two as different texts, so dictionaries of stored texts use these keys.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.hasSameBytes(as: second.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package static func < (first: ExactText, second: ExactText) -> Bool { first.text.precedes(second.text) }
}

extension String? {
  /// Whether both are nil, or both are texts with the same UTF-8 bytes.
  package func hasSameBytes(as other: String?) -> Bool {
    map { ExactText($0) } == other.map { ExactText($0) }
  }
}

extension Substring {
  /// Whether both texts have the same UTF-8 bytes.
  func hasSameBytes(as other: Substring) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
  /// Whether both texts have the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    if sharesStorage(with: other) { return true }
    return utf8.count == other.utf8.count && withBytes(of: other) { $0.hasSameBytes(as: $1) }
  }

  /// Whether two texts are copies of each other and share storage. Each call of a repository compares the
  /// texts by which its store was found, and this comparison is fast.
  private func sharesStorage(with other: String) -> Bool {
    typealias Words = (UInt, UInt)
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    // SAFETY: the sizes are equal, and texts with the same bits have the same bytes.
    return withUnsafeBytes(of: self) { first in
      withUnsafeBytes(of: other) { first.loadUnaligned(as: Words.self) == $0.loadUnaligned(as: Words.self) }
    }
  }

  /// Whether the text comes before another one in the order of their UTF-8 bytes.
  package func precedes(_ other: String) -> Bool { withBytes(of: other) { $0.compare($1) < 0 } }

  private func withBytes<Result>(
    of other: String,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var (first, second) = (self, other)
    return first.withUTF8 { first in
      second.withUTF8 { body(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)) }
    }
  }
}
