import Foundation

/// The options of comparisons of texts in a query.
public struct StringOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes options of their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case are the same.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Letters with and without accents are the same.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var queryOptions: QueryTextOptions {
    var options: QueryTextOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}

extension Query where Value: _QueryableText {
  /// Whether the text has another one in it; every text has the empty one.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the text has that of another property in it.
  public func contains<Other: _QueryableText>(_ other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  > {
    compared(.contains, other, options)
  }

  /// Whether the text begins with another one.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the text begins with that of another property.
  public func starts<Other: _QueryableText>(
    with other: Query<Other>,
    options: StringOptions = []
  ) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the text ends with another one.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the text ends with that of another property.
  public func ends<Other: _QueryableText>(with other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  > {
    compared(.endsWith, other, options)
  }

  /// Whether the text is like a pattern, in which `?` matches any character and `*` any number of them; a
  /// backslash takes the next one literally.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the text is like the pattern that another property has.
  public func like<Other: _QueryableText>(
    _ pattern: Query<Other>,
    caseInsensitive: Bool = false
  ) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the text is equal to another one.
  public func equals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Whether the text is equal to that of another property.
  public func equals<Other: _QueryableText>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool>
  {
    compared(.equal, other, options)
  }

  /// Whether the text is not equal to another one.
  public func notEquals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Whether the text is not equal to that of another property.
  public func notEquals<Other: _QueryableText>(_ other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  > {
    compared(.notEqual, other, options)
  }

  /// Whether the text is one of some others.
  public func `in`(_ values: some Sequence<String>, options: StringOptions) -> Query<Bool> {
    Query<Bool>(term.tested { .oneOf($0, values.map { .string($0) }, options.queryOptions) })
  }

  /// Whether words are among those of the text.
  ///
  /// - Parameter words: the words, all of which have to be there, in any order; one that ends with `*` means
  ///   all words that begin so. Words in quotes have to be there in a row; words with a `-` in front must not
  ///   be there. ``FullText`` has the whole form.
  public func matches(_ words: String) -> Query<Bool> {
    let path = Result { try term.path() }
    return Query<Bool>(term.tested { _ in .matches(try path.get(), words) })
  }

  /// The number of characters.
  public var length: Query<Int> { Query<Int>(term.map { .length($0) }) }

  /// The text in lower case.
  public func lowercased() -> Query { Query(term.map { .lowercased($0) }) }

  /// The text in upper case.
  public func uppercased() -> Query { Query(term.map { .uppercased($0) }) }
}

/// Bytes, or a value that may be bytes.
public protocol _QueryableBytes {}

extension Data: _QueryableBytes {}
extension Optional: _QueryableBytes where Wrapped: _QueryableBytes {}

extension Query where Value: _QueryableBytes {
  /// Whether the bytes have others in them.
  public func contains(_ data: Data) -> Query<Bool> { compared(.contains, data) }

  /// Whether the bytes begin with others.
  public func starts(with data: Data) -> Query<Bool> { compared(.beginsWith, data) }

  /// Whether the bytes end with others.
  public func ends(with data: Data) -> Query<Bool> { compared(.endsWith, data) }

  /// The number of bytes.
  public var length: Query<Int> { Query<Int>(term.map { .length($0) }) }
}
