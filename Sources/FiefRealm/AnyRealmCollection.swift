import Fief

/// A collection whose type is hidden: results, a list, a set or an inverse.
///
/// ```swift
/// func show(_ dogs: AnyRealmCollection<Dog>) { … }
/// show(AnyRealmCollection(store.objects(Dog.self)))
/// show(AnyRealmCollection(person.dogs))
/// ```
/// It is as live as its source and has the same indexes. A collection of objects can be queried like every
/// `ObjectCollection`.
public struct AnyRealmCollection<Element>: Sequence {
  let base: ErasedCollection<Element>

  init(_ base: ErasedCollection<Element>) { self.base = base }

  /// Creates a collection that hides the type of another one.
  public init<Base: RealmCollection>(_ base: Base) where Base.Element == Element {
    self.init(base.hiddenCollection)
  }

  /// The number of elements. It includes links to deleted objects.
  public var count: Int { base.count() }

  /// A Boolean value that indicates whether the collection has no elements.
  public var isEmpty: Bool { base.count() == 0 }

  /// The first element, or `nil` if the collection is empty or the first element is a deleted object.
  public var first: Element? { base.element(0) }

  /// The last element, or `nil` if the collection is empty or the last element is a deleted object.
  public var last: Element? { base.last() }

  /// The element at an index, or `nil` if the index is out of range or the element is a deleted object.
  ///
  /// The element of a list is found directly by its index. In results and in a large set, the elements before
  /// it are skipped without creating objects.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { base.element(index) }

  /// Returns an iterator over the existing elements, without deleted objects.
  public func makeIterator() -> AnyIterator<Element> { base.iterator() }

  /// The store of the collection, or `nil` if the collection is in no store.
  public var realm: Realm? { base.origin() }

  /// A Boolean value that indicates whether the object that owns the collection was deleted. It is `false`
  /// for results.
  public var isInvalidated: Bool { base.isInvalidated() }

  /// A Boolean value that indicates whether the collection has the contents of one state, which no write
  /// changes.
  public var isFrozen: Bool { base.isFrozen() }
}

extension AnyRealmCollection: ObjectCollection, ObjectQuery where Element: Object {
  /// The class of the objects.
  public typealias Member = Element

  private func asked<Value>(_ fallback: Value, _ body: (any ObjectCollection) -> Any?) -> Value {
    (hidden as? any ObjectCollection).flatMap(body) as? Value ?? fallback
  }

  /// The objects as results.
  public var results: Results<Element> {
    if let results = hidden as? Results<Element> { return results }
    func results(_ collection: some ObjectCollection) -> Any { collection.results }
    return asked(.failing(FiefError(.invalidQuery, "The collection has no objects."))) { results($0) }
  }

  /// The objects of a collection that is in no store, or `nil` if the collection is in a store.
  public var _unstoredMembers: [Element]? {
    func members(_ collection: some ObjectCollection) -> Any? { collection._unstoredMembers }
    return asked(nil) { members($0) }
  }

  /// Returns the index of an object, or `nil` if the object is not in the collection.
  public func index(of object: Element) -> Int? {
    (hidden as? List<Element>).map { $0.index(of: object) } ?? results.index(of: object)
  }
}

extension AnyRealmCollection: ObservableCollection, ObservableContents where Element: Object {
  /// Returns the observation of the hidden collection.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<AnyRealmCollection>> {
    func observation<Base: RealmCollection & ObservableCollection>(
      of base: Base
    ) -> _Observation<RealmCollectionChange<AnyRealmCollection>>
    where
      Base.Element == Element, Base.ObservedElement == Element, Base.ObservedCollection == Base,
      Base: SendableMetatype
    {
      base._observation(watched, of: elements).map { $0.mapping { AnyRealmCollection($0) } }
    }
    return switch hidden {
    case let list as List<Element>: observation(of: list)
    case let set as MutableSet<Element>: observation(of: set)
    default: observation(of: results)
    }
  }
}

extension AnyRealmCollection where Element: Object {
  /// The object at an index. If the index is out of range, returns a placeholder that is in no store and
  /// cannot be saved, and reports the reason to the event handler.
  public subscript(index: Int) -> Element {
    if let element = base.element(index) { return element }
    let error = FiefError(
      .invalidValue,
      "The collection has no object at the index.",
      type: Element.className(),
      details: ["the index: \(index)", "the count: \(count)"]
    )
    // The results have other indexes, because they omit deleted objects.
    if realm == nil { base.report(error) } else { results.reportOutOfBounds(index, count: count) }
    return Element.standIn()
  }
}

/// A collection that hides the type of another collection.
protocol ErasedCollectionHolder {
  /// The hidden collection.
  var hidden: Any { get }
}

extension AnyRealmCollection: ErasedCollectionHolder {
  var hidden: Any { base.collection() }
}

/// A collection of objects that hides the type of another collection.
protocol ErasedObjects {
  /// Returns the collection over the thawed hidden collection, or `nil` if that cannot be thawed.
  func thawedObjects() -> Any?
}

extension AnyRealmCollection: ErasedObjects where Element: Object {
  func thawedObjects() -> Any? {
    switch hidden {
    case let results as Results<Element>: results.thaw().map { AnyRealmCollection($0) }
    case let list as List<Element>: list.thaw().map { AnyRealmCollection($0) }
    case let set as MutableSet<Element>: set.thaw().map { AnyRealmCollection($0) }
    default: self
    }
  }
}

extension AnyRealmCollection: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { Array(self).description }
}
