/// The words of a text, for a full-text search in `#Predicate`.
///
/// ```swift
/// #Predicate<Book> { $0.text.fullText.contains("quick fox") }
/// ```
/// finds the books whose text contains both words, like `where { $0.text.matches("quick fox") }`. Both accept
/// the same search terms:
///
/// | | |
/// |---|---|
/// | `apple tree` | both words, anywhere |
/// | `app*` | a word with this prefix |
/// | `"apple tree"` | these words in a row |
/// | `-apple` | not this word; with quotes, as in `-"apple tree"`, not these words in a row |
///
/// Case and accents do not matter. A search without a word has no results. A search that only excludes words
/// finds every text without these words, but never nil.
public struct FullText: Sequence, Sendable {
  let text: String

  /// Returns an iterator over the words, folded as in an index.
  public func makeIterator() -> IndexingIterator<[String]> {
    var words: [String] = []
    text.forEachWord { word in
      words.append(String(decoding: word.bytes, as: UTF8.self))
      return true
    }
    return words.makeIterator()
  }

  /// Returns whether the text matches search terms. This method is called if a predicate is evaluated without
  /// a store.
  public func _customContainsEquatableElement(_ element: String) -> Bool? {
    let matcher = FullTextMatcher(FullTextQuery(parsing: element))
    var text = text
    return text.withUTF8 { matcher.matches(UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// The words of the text, for a search in a store with `#Predicate`; see ``FullText``.
  public var fullText: FullText { FullText(text: self) }
}
