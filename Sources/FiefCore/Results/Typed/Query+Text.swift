import Foundation

/// Options for comparing texts in a query.
public struct StringOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores case.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Ignores accents.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var queryOptions: QueryTextOptions {
    var options: QueryTextOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}

extension Query where Value: _QueryableText {
  /// Tests whether the text is one of several texts.
  public func `in`(_ values: some Sequence<String>, options: StringOptions) -> Query<Bool> {
    Query<Bool>(term.tested { .oneOf($0, values.map { .string($0) }, options.queryOptions) })
  }

  /// Tests whether the text contains the words of a full-text search.
  ///
  /// - Parameter words: the words that the text must contain, in any order. A word with `*` at its end
  ///   matches all words with this prefix. Words in quotes must be adjacent and in this order. A `-` excludes
  ///   words. ``FullText`` lists the forms.
  public func matches(_ words: String) -> Query<Bool> {
    let path = Result { try term.path() }
    return Query<Bool>(term.tested { _ in .matches(try path.get(), words) })
  }

  /// The number of characters.
  public var length: Query<Int> { Query<Int>(term.map { .length($0) }) }

  /// Returns the text in lower case.
  public func lowercased() -> Query { Query(term.map { .lowercased($0) }) }

  /// Returns the text in upper case.
  public func uppercased() -> Query { Query(term.map { .uppercased($0) }) }
}

/// Bytes, or optional bytes.
public protocol _QueryableBytes {}

extension Data: _QueryableBytes, _QueryableStored {}
extension Optional: _QueryableBytes where Wrapped: _QueryableBytes {}

extension Query where Value: _QueryableBytes {
  /// The number of bytes.
  public var length: Query<Int> { Query<Int>(term.map { .length($0) }) }
}
