/// The words of a text, for `#Predicate`: the form of a full-text search that the macro accepts.
///
/// ```swift
/// #Predicate<Book> { $0.text.fullText.contains("quick fox") }
/// ```
/// asks for the books whose text has both words, as `where { $0.text.matches("quick fox") }` does; the search
/// terms have the same form in both:
///
/// | | |
/// |---|---|
/// | `apple tree` | both words, anywhere |
/// | `app*` | a word that begins so |
/// | `"apple tree"` | these words, one after the other |
/// | `-apple` | not this word; with quotes, `-"apple tree"`, not these words in a row |
///
/// Case and accents do not count. A search without a word finds nothing; one that only excludes words finds
/// every text without these, but never nil.
public struct FullText: Sequence, Sendable {
  let text: String

  /// An iterator over the words, folded as indexes have them.
  public func makeIterator() -> IndexingIterator<[String]> {
    var words: [String] = []
    text.forEachWord { word in
      words.append(String(decoding: word.bytes, as: UTF8.self))
      return true
    }
    return words.makeIterator()
  }

  /// Whether the text matches the search terms: also where a predicate is evaluated without a store.
  public func _customContainsEquatableElement(_ element: String) -> Bool? {
    let matcher = FullTextMatcher(FullTextQuery(parsing: element))
    var text = text
    return text.withUTF8 { matcher.matches(UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// The words of the text, to ask a store for: see ``FullText``.
  public var fullText: FullText { FullText(text: self) }
}
