// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// The stored form of a collection's elements in a query. This type has no instances.
public enum _QueryElements<Element>: _QueryableCollection {}

/// The stored form of a map's values in a query. This type has no instances.
public enum _QueryMapElements<Element>: _QueryableMap {}

extension Query where Value: _QueryableStored {
  /// The stored form of the case: `$0.size.rawValue.starts(with: "s")`.
  public var rawValue: Query<Value._StoredInQueries> { Query<Value._StoredInQueries>(term) }

  /// The stored form of the value.
  public var persistableValue: Query<Value._StoredInQueries> { Query<Value._StoredInQueries>(term) }
}

extension Query where Value: _QueryableCollection, Value._QueryElement: _QueryableStored {
  /// The stored form of the elements.
  public var rawValue: Query<_QueryElements<Value._QueryElement._StoredInQueries>> { persistableValue }

  /// The stored form of the elements.
  public var persistableValue: Query<_QueryElements<Value._QueryElement._StoredInQueries>> {
    Query<_QueryElements<Value._QueryElement._StoredInQueries>>(term)
  }
}

extension Query where Value: _QueryableMap, Value._QueryElement: _QueryableStored {
  /// The stored form of the map's values.
  public var rawValue: Query<_QueryMapElements<Value._QueryElement._StoredInQueries>> { persistableValue }

  /// The stored form of the map's values.
  public var persistableValue: Query<_QueryMapElements<Value._QueryElement._StoredInQueries>> {
    Query<_QueryMapElements<Value._QueryElement._StoredInQueries>>(term)
  }
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

/// Tests for bytes, and for values that are stored as bytes.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableBytes {
  /// Tests whether the stored bytes contain the stored bytes of a value.
  public func contains(_ value: Value) -> Query<Bool> { compared(.contains, value) }

  /// Tests whether the stored bytes begin with the stored bytes of a value.
  public func starts(with value: Value) -> Query<Bool> { compared(.beginsWith, value) }

  /// Tests whether the stored bytes end with the stored bytes of a value.
  public func ends(with value: Value) -> Query<Bool> { compared(.endsWith, value) }
}

/// Aggregates of a path through a collection, for values that are stored as numbers. An `AnyRealmValue` also
/// is a number itself.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableNumber {
  /// The minimum value of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var min: Query { Query(persistableValue.min.term) }

  /// The maximum value of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var max: Query { Query(persistableValue.max.term) }

  /// The sum of the values of a path through a collection; 0 if there are no values.
  @_disfavoredOverload
  public var sum: Query { Query(persistableValue.sum.term) }

  /// The average of the values of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var avg: Query<Double?> { persistableValue.avg }
}

/// Aggregates of elements that are stored as numbers.
extension Query
where
  Value: _QueryableCollection, Value._QueryElement: _QueryableStored,
  Value._QueryElement._StoredInQueries: _QueryableNumber
{
  /// The minimum element; nil if there are no elements.
  @_disfavoredOverload
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The maximum element; nil if there are no elements.
  @_disfavoredOverload
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 if there are no elements.
  @_disfavoredOverload
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil if there are no elements.
  @_disfavoredOverload
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}
