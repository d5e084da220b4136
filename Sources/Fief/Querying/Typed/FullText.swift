/// The words of a text, for `#Predicate`: the form of a full-text search that the macro accepts.
///
/// ```swift
/// #Predicate<Book> { $0.text.fullText.contains("quick fox") }
/// ```
/// asks for the books whose text has both words, as `where { $0.text.matches("quick fox") }` does.
public struct FullText: Sequence, Sendable {
  let text: String

  /// An iterator over the text itself.
  public func makeIterator() -> CollectionOfOne<String>.Iterator {
    CollectionOfOne(text).makeIterator()
  }
}

extension String {
  /// The words of the text, to ask a store for: see ``FullText``.
  public var fullText: FullText { FullText(text: self) }
}
