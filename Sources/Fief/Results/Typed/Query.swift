/// A property of the objects that a `where { }` finds, or an expression of it.
///
/// ```swift
/// let old = dogs.where { $0.age > 10 && $0.name.starts(with: "A") }
/// let owned = dogs.where { $0.owner.name == "Ann" || $0.toys.count > 3 }
/// ```
/// A query has no value: its properties are those of the class, and comparisons, operators and functions give
/// further queries. A path through a link that is nil is nil; one through a collection means any of its elements.
/// A query that the library cannot answer is a ``FiefError`` of code `invalidQuery`, thrown where the results are
/// used; so is one that is nested more than 300 levels deep, by a loop for example. Lists of `&&` and of `||` are one
/// level.
@dynamicMemberLookup
public struct Query<Value> {
  let term: TypedTerm

  init(_ term: TypedTerm) { self.term = term }

  /// The property of a value that the application compares with.
  func constant(_ value: Any) -> TypedTerm { TypedTerm(term.scopes, value: value) }

  private func property<Property>(_ keyPath: AnyKeyPath, of term: TypedTerm) -> Query<Property> {
    Query<Property>(term.step { try TypedPath.path(keyPath).steps })
  }

  /// A property of the object.
  public subscript<Property>(dynamicMember member: KeyPath<Value, Property>) -> Query<Property>
  where Value: ObjectBase {
    property(member, of: term)
  }

  /// A property of the object that is linked to or embedded, nil where there is none.
  public subscript<Target: ObjectBase, Property>(
    dynamicMember member: KeyPath<Target, Property>
  ) -> Query<Property> where Value == Target? {
    property(member, of: term)
  }

  /// A property of any of the objects in the collection.
  public subscript<Property>(
    dynamicMember member: KeyPath<Value.QueryElement, Property>
  ) -> Query<Property> where Value: QueryableCollection, Value.QueryElement: ObjectBase {
    property(member, of: term.entered())
  }

  /// A property of any of the objects in the map.
  public subscript<Target: ObjectBase, Property>(
    dynamicMember member: KeyPath<Target, Property>
  ) -> Query<Property> where Value: QueryableCollection, Value.QueryElement == Target? {
    property(member, of: term.entered())
  }
}

/// The collections that a ``Query`` can go through.
public protocol QueryableCollection {
  /// The type of an element; of a map, the type of a value.
  associatedtype QueryElement
}

extension List: QueryableCollection {
  /// The elements.
  public typealias QueryElement = Element
}

extension MutableSet: QueryableCollection {
  /// The elements.
  public typealias QueryElement = Element
}

extension LinkingObjects: QueryableCollection {
  /// The linking objects.
  public typealias QueryElement = Element
}

extension Map: QueryableCollection {
  /// The values.
  public typealias QueryElement = Value
}

/// The literal nil, which any query can be compared with.
public struct QueryNil: ExpressibleByNilLiteral {
  /// Makes nil.
  public init(nilLiteral: ()) {}
}

/// Numbers and dates, of which there are a least, a greatest, a sum and an average.
public protocol QueryableNumber {}

extension Int: QueryableNumber {}
extension Int8: QueryableNumber {}
extension Int16: QueryableNumber {}
extension Int32: QueryableNumber {}
extension Int64: QueryableNumber {}
extension UInt: QueryableNumber {}
extension UInt8: QueryableNumber {}
extension UInt16: QueryableNumber {}
extension UInt32: QueryableNumber {}
extension UInt64: QueryableNumber {}
extension Float: QueryableNumber {}
extension Double: QueryableNumber {}
extension Optional: QueryableNumber where Wrapped: QueryableNumber {}

/// Text, or a value that may be text.
public protocol QueryableText {}

extension String: QueryableText {}
extension AnyRealmValue: QueryableText, QueryableNumber {}
extension Optional: QueryableText where Wrapped: QueryableText {}
