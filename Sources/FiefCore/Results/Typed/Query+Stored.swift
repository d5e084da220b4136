// The underscored requirements are for the library only. The comments of their protocols explain them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// The stored form of a collection's elements in a query. This type has no values.
public enum _QueryElements<Element>: _QueryableCollection {
  /// The stored form of an element.
  public typealias _QueryElement = Element
}

/// The stored form of a map's values in a query. This type has no values.
public enum _QueryMapElements<Element>: _QueryableMap {
  /// The stored form of a value.
  public typealias _QueryElement = Element
}

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

/// Tests for values that are stored as text.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableText {
  /// Tests whether the stored text contains a text.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Tests whether the stored text contains the stored text of a value.
  public func contains(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Tests whether the stored text contains the text of another property.
  public func contains<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, other, options)
  }

  /// Tests whether the stored text begins with a text.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Tests whether the stored text begins with the stored text of a value.
  public func starts(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Tests whether the stored text begins with the text of another property.
  public func starts<Other>(with other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Tests whether the stored text ends with a text.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Tests whether the stored text ends with the stored text of a value.
  public func ends(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// Tests whether the stored text ends with the text of another property.
  public func ends<Other>(with other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Tests whether the stored text matches a pattern. `?` matches one character, `*` any number of
  /// characters.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the stored text matches the pattern in the stored text of a value.
  public func like(_ pattern: Value, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the stored text matches the pattern in another property.
  public func like<Other>(_ pattern: Query<Other>, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the stored text equals a text.
  public func equals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, text, options)
  }

  /// Tests whether the stored text equals the stored text of a value.
  public func equals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Tests whether the stored text equals the text of another property.
  public func equals<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, other, options)
  }

  /// Tests whether the stored text differs from a text.
  public func notEquals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, text, options)
  }

  /// Tests whether the stored text differs from the stored text of a value.
  public func notEquals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Tests whether the stored text differs from the text of another property.
  public func notEquals<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, other, options)
  }
}

/// Tests for values that are stored as bytes.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableBytes {
  /// Tests whether the stored bytes contain the stored bytes of a value.
  public func contains(_ value: Value) -> Query<Bool> { compared(.contains, value) }

  /// Tests whether the stored bytes begin with the stored bytes of a value.
  public func starts(with value: Value) -> Query<Bool> { compared(.beginsWith, value) }

  /// Tests whether the stored bytes end with the stored bytes of a value.
  public func ends(with value: Value) -> Query<Bool> { compared(.endsWith, value) }
}

/// Aggregates of a path through a collection, for values that are stored as numbers.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableNumber {
  /// The minimum value of a path through a collection; nil if there are no values.
  public var min: Query { Query(persistableValue.min.term) }

  /// The maximum value of a path through a collection; nil if there are no values.
  public var max: Query { Query(persistableValue.max.term) }

  /// The sum of the values of a path through a collection; 0 if there are no values.
  public var sum: Query { Query(persistableValue.sum.term) }

  /// The average of the values of a path through a collection; nil if there are no values.
  public var avg: Query<Double?> { persistableValue.avg }
}

/// Aggregates of elements that are stored as numbers.
extension Query
where
  Value: _QueryableCollection, Value._QueryElement: _QueryableStored,
  Value._QueryElement._StoredInQueries: _QueryableNumber
{
  /// The minimum element; nil if there are no elements.
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The maximum element; nil if there are no elements.
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 if there are no elements.
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil if there are no elements.
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}
