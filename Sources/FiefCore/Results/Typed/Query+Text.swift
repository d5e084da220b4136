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

/// Tests for texts, and for values that are stored as text.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableText {
  /// Tests whether the text contains another text. Every text contains the empty text.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Tests whether the text contains the text of a value.
  @_disfavoredOverload
  public func contains(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Tests whether the text contains the text of another property.
  public func contains<Other: _QueryableStored>(_ other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.contains, other, options)
  }

  /// Tests whether the text begins with a text.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Tests whether the text begins with the text of a value.
  @_disfavoredOverload
  public func starts(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Tests whether the text begins with the text of another property.
  public func starts<Other: _QueryableStored>(with other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.beginsWith, other, options)
  }

  /// Tests whether the text ends with a text.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Tests whether the text ends with the text of a value.
  @_disfavoredOverload
  public func ends(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// Tests whether the text ends with the text of another property.
  public func ends<Other: _QueryableStored>(with other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.endsWith, other, options)
  }

  /// Tests whether the text matches a pattern, in which `?` stands for any character and `*` for any number
  /// of characters. A backslash makes the next character literal.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the text matches the pattern in the text of a value.
  @_disfavoredOverload
  public func like(_ pattern: Value, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the text matches the pattern in another property.
  public func like<Other: _QueryableStored>(_ pattern: Query<Other>, caseInsensitive: Bool = false) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the text equals a text.
  public func equals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, text, options)
  }

  /// Tests whether the text equals the text of a value.
  @_disfavoredOverload
  public func equals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Tests whether the text equals the text of another property.
  public func equals<Other: _QueryableStored>(_ other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.equal, other, options)
  }

  /// Tests whether the text differs from a text.
  public func notEquals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, text, options)
  }

  /// Tests whether the text differs from the text of a value.
  @_disfavoredOverload
  public func notEquals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Tests whether the text differs from the text of another property.
  public func notEquals<Other: _QueryableStored>(_ other: Query<Other>, options: StringOptions = []) -> Query<
    Bool
  >
  where Other._StoredInQueries: _QueryableText {
    compared(.notEqual, other, options)
  }
}

/// Bytes, or optional bytes.
public protocol _QueryableBytes {}

extension Data: _QueryableBytes, _QueryableStored {}
extension Optional: _QueryableBytes where Wrapped: _QueryableBytes {}

extension Query where Value: _QueryableBytes {
  /// The number of bytes.
  public var length: Query<Int> { Query<Int>(term.map { .length($0) }) }
}

/// Tests for bytes, and for values that are stored as bytes.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableBytes {
  /// Tests whether the stored bytes contain the stored bytes of a value.
  public func contains(_ value: Value) -> Query<Bool> { compared(.contains, value) }

  /// Tests whether the stored bytes begin with the stored bytes of a value.
  public func starts(with value: Value) -> Query<Bool> { compared(.beginsWith, value) }

  /// Tests whether the stored bytes end with the stored bytes of a value.
  public func ends(with value: Value) -> Query<Bool> { compared(.endsWith, value) }
}
