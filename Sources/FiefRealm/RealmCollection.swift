import Fief

/// A collection of a store in generic code: results, a list, a set, an inverse, or `AnyRealmCollection`.
///
/// ```swift
/// func show<C: RealmCollection>(_ dogs: C) where C.Element == Dog { print(dogs.count) }
/// ```
public protocol RealmCollection<Element>: Sequence {
  /// The type of the elements, under the name that older code uses.
  associatedtype ElementType = Element

  /// The number of elements.
  var count: Int { get }
  /// A Boolean value that indicates whether the collection has no elements.
  var isEmpty: Bool { get }
  /// The first element, or `nil` if it does not exist.
  var first: Element? { get }
  /// The store of the collection, or `nil` if the collection is in no store.
  var realm: Realm? { get }
  /// A Boolean value that indicates whether the object that owns the collection was deleted.
  var isInvalidated: Bool { get }
  /// A Boolean value that indicates whether the collection has the contents of one state, which no write
  /// changes.
  var isFrozen: Bool { get }
}

extension Results: RealmCollection {}
extension LinkingObjects: RealmCollection {}
extension List: RealmCollection {}
extension MutableSet: RealmCollection {}
extension AnyRealmCollection: RealmCollection {}
