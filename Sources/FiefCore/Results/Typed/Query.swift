/// A property of the objects that a `where { }` finds, or an expression of properties.
///
/// ```swift
/// let old = dogs.where { $0.age > 10 && $0.name.starts(with: "A") }
/// let owned = dogs.where { $0.owner.name == "Ann" || $0.toys.count > 3 }
/// ```
/// A query has no value. Its properties are the properties of the class, and comparisons, operators and
/// methods return further queries. If a link on a path is nil, the value of the path is nil; a path through a
/// collection refers to any of its elements. If a store cannot evaluate a query, using the results throws a
/// ``FiefError`` of code `invalidQuery`. The same error is thrown for a query with more than 300 levels, for
/// example one built in a loop; a list of `&&` or of `||` counts as one level.
@dynamicMemberLookup
public struct Query<Value> {
  package let term: TypedTerm

  package init(_ term: TypedTerm) { self.term = term }

  /// Returns the term for a constant with which the application compares.
  func constant(_ value: Any) -> TypedTerm { TypedTerm(term.scopes, value: value) }

  private func property<Property>(_ keyPath: AnyKeyPath, of term: TypedTerm) -> Query<Property> {
    Query<Property>(term.step { try TypedPath.path(keyPath).steps })
  }

  /// A property of the object.
  public subscript<Property>(dynamicMember member: KeyPath<Value, Property>) -> Query<Property>
  where Value: _QueryableObject {
    property(member, of: term)
  }

  /// A property of the linked or embedded object; nil if there is no object.
  public subscript<Property>(
    dynamicMember member: KeyPath<Value._LinkedObject, Property>
  ) -> Query<Property> where Value: _QueryableLink {
    property(member, of: term)
  }

  /// A property of any of the objects in the collection.
  public subscript<Property>(
    dynamicMember member: KeyPath<Value._QueryElement, Property>
  ) -> Query<Property> where Value: _QueryableCollection, Value._QueryElement: ObjectBase {
    property(member, of: term.entered())
  }

  /// A property of any of the objects in the map.
  public subscript<Property>(
    dynamicMember member: KeyPath<Value._QueryElement._LinkedObject, Property>
  ) -> Query<Property> where Value: _QueryableCollection, Value._QueryElement: _QueryableLink {
    property(member, of: term.entered())
  }
}

/// The optional links that can be part of the path of a ``Query``.
public protocol _QueryableLink {
  /// The class of the linked object.
  associatedtype _LinkedObject: ObjectBase
}

extension Optional: _QueryableLink where Wrapped: ObjectBase {
  /// The class of the linked object.
  public typealias _LinkedObject = Wrapped
}

/// A collection that can be part of the path of a ``Query``.
public protocol _QueryableCollection {
  /// The type of an element.
  associatedtype Element
  /// The type of an element; of a map, the type of a value.
  associatedtype _QueryElement = Element
}

extension List: _QueryableCollection {}
extension MutableSet: _QueryableCollection {}
extension LinkingObjects: _QueryableCollection {}

extension Map: _QueryableCollection {
  /// The type of the values.
  public typealias _QueryElement = Value
}

/// The literal nil, which can be compared with any query.
public struct _QueryNil: ExpressibleByNilLiteral {
  /// Creates nil.
  public init(nilLiteral: ()) {}
}

/// A number or date, which has a minimum, a maximum, a sum and an average.
public protocol _QueryableNumber {}

extension Int: _QueryableNumber {}
extension Int8: _QueryableNumber {}
extension Int16: _QueryableNumber {}
extension Int32: _QueryableNumber {}
extension Int64: _QueryableNumber {}
extension UInt: _QueryableNumber {}
extension UInt8: _QueryableNumber {}
extension UInt16: _QueryableNumber {}
extension UInt32: _QueryableNumber {}
extension UInt64: _QueryableNumber {}
extension Float: _QueryableNumber {}
extension Double: _QueryableNumber {}
extension Optional: _QueryableNumber where Wrapped: _QueryableNumber {}

/// Text, or a value that may be text.
public protocol _QueryableText {}

extension String: _QueryableText, _QueryableStored {}
extension AnyRealmValue: _QueryableText, _QueryableNumber, _QueryableStored {}
extension Optional: _QueryableText where Wrapped: _QueryableText {}
