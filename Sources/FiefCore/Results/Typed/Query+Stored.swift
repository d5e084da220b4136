// The underscored requirements are for the library alone; their protocols say what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// What is stored of the elements of a collection, as a query sees it; it has no values.
public enum _QueryElements<Element>: _QueryableCollection {
  /// The stored form of an element.
  public typealias _QueryElement = Element
}

/// The stored form of a map's values, as a query sees it; it has no values.
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

/// Functions of text, of values that are stored as text.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableText {
  /// Whether the stored text has another one in it.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the stored text has that of a value in it.
  public func contains(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Whether the stored text has that of another property in it.
  public func contains<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, other, options)
  }

  /// Whether the stored text begins with another one.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the stored text begins with that of a value.
  public func starts(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Whether the stored text begins with that of another property.
  public func starts<Other>(with other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the stored text ends with another one.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the stored text ends with that of a value.
  public func ends(with value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// Whether the stored text ends with that of another property.
  public func ends<Other>(with other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Whether the stored text is like a pattern, in which `?` matches any character and `*` any number of them.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the stored text is like the pattern that is stored of a value.
  public func like(_ pattern: Value, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the stored text is like the pattern that another property has.
  public func like<Other>(_ pattern: Query<Other>, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the stored text is equal to another one.
  public func equals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, text, options)
  }

  /// Whether the stored text is equal to that of a value.
  public func equals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Whether the stored text is equal to that of another property.
  public func equals<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, other, options)
  }

  /// Whether the stored text is not equal to another one.
  public func notEquals(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, text, options)
  }

  /// Whether the stored text is not equal to that of a value.
  public func notEquals(_ value: Value, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Whether the stored text is not equal to that of another property.
  public func notEquals<Other>(_ other: Query<Other>, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, other, options)
  }
}

/// Functions of bytes, of values that are stored as bytes.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableBytes {
  /// Whether the stored bytes have those of a value in them.
  public func contains(_ value: Value) -> Query<Bool> { compared(.contains, value) }

  /// Whether the stored bytes begin with those of a value.
  public func starts(with value: Value) -> Query<Bool> { compared(.beginsWith, value) }

  /// Whether the stored bytes end with those of a value.
  public func ends(with value: Value) -> Query<Bool> { compared(.endsWith, value) }
}

/// Aggregates of a path through a collection, of values that are stored as numbers.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableNumber {
  /// The least value of a path through a collection; nil where there is nothing.
  public var min: Query { Query(persistableValue.min.term) }

  /// The greatest value of a path through a collection; nil where there is nothing.
  public var max: Query { Query(persistableValue.max.term) }

  /// The sum of the values of a path through a collection; 0 where there is nothing.
  public var sum: Query { Query(persistableValue.sum.term) }

  /// The average of the values of a path through a collection; nil where there is nothing.
  public var avg: Query<Double?> { persistableValue.avg }
}

/// Aggregates of elements that are stored as numbers.
extension Query
where
  Value: _QueryableCollection, Value._QueryElement: _QueryableStored,
  Value._QueryElement._StoredInQueries: _QueryableNumber
{
  /// The least element; nil where there is none.
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The greatest element; nil where there is none.
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 where there is none.
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil where there is none.
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}
