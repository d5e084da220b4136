import Fief

/// A collection of a store in generic code: results, a list, a set, an inverse, or one whose type is hidden.
///
/// ```swift
/// func show<C: RealmCollection>(_ dogs: C) where C.Element == Dog { print(dogs.count) }
/// ```
public protocol RealmCollection<Element>: Sequence {
  /// The type of the elements, as older code calls it.
  associatedtype ElementType = Element

  /// The number of elements.
  var count: Int { get }
  /// Whether there is no element.
  var isEmpty: Bool { get }
  /// The first element; nil where there is none.
  var first: Element? { get }
  /// The store that has the collection; nil where none has.
  var realm: Realm? { get }
  /// Whether the object that the collection belongs to was deleted.
  var isInvalidated: Bool { get }
  /// The collection with its type hidden.
  var _hidden: AnyRealmCollection<Element> { get }
}

extension Results: RealmCollection {
  /// Not for use: `AnyRealmCollection(results)` is.
  public var _hidden: AnyRealmCollection<Element> { AnyRealmCollection(self) }
}

extension LinkingObjects: RealmCollection {
  /// Not for use: `AnyRealmCollection(inverse)` is.
  public var _hidden: AnyRealmCollection<Element> { AnyRealmCollection(self) }
}

extension List: RealmCollection {
  /// Not for use: `AnyRealmCollection(list)` is.
  public var _hidden: AnyRealmCollection<Element> { AnyRealmCollection(self) }
}

extension MutableSet: RealmCollection {
  /// Not for use: `AnyRealmCollection(set)` is.
  public var _hidden: AnyRealmCollection<Element> { AnyRealmCollection(self) }
}

extension AnyRealmCollection: RealmCollection {
  /// Not for use: the collection itself is.
  public var _hidden: AnyRealmCollection { self }

  /// Hides the type of a collection.
  public init<Base: RealmCollection>(_ base: Base) where Base.Element == Element { self = base._hidden }
}
