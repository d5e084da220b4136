import Fief

/// A collection whose type is not known: results, a list, a set or an inverse.
///
/// ```swift
/// func show(_ dogs: AnyRealmCollection<Dog>) { … }
/// show(AnyRealmCollection(store.objects(Dog.self)))
/// show(AnyRealmCollection(person.dogs))
/// ```
/// It is as live as its source, and has the same places: an element of a list is found by its index. With
/// objects in it, it can be queried like every `ObjectCollection`.
public struct AnyRealmCollection<Element>: Sequence {
  private let base: HiddenCollection<Element>

  /// Hides the type of results.
  public init(_ base: Results<Element>) where Element: Object {
    self.base = HiddenCollection(
      count: { base.count },
      element: { base.knownObject(atPlace: $0) },
      last: { base.last },
      iterator: { AnyIterator(base.makeIterator()) },
      objects: { base },
      origin: { base.realm },
      isInvalidated: { base.isInvalidated },
      isFrozen: { base.isFrozen },
      setValue: { base.setValue($0, forKey: $1) },
      report: { base.reportFailure($0) }
    )
  }

  /// Hides the type of an inverse.
  public init(_ base: LinkingObjects<Element>) where Element: Object {
    self.base = HiddenCollection(
      count: { base.count },
      element: { base.results.knownObject(atPlace: $0) },
      last: { base.last },
      iterator: { AnyIterator(base.makeIterator()) },
      objects: { base },
      origin: { base.realm },
      isInvalidated: { base.isInvalidated },
      isFrozen: { base.isFrozen },
      setValue: { base.setValue($0, forKey: $1) },
      report: { base.reportFailure($0) }
    )
  }

  /// Hides the type of a list.
  public init(_ base: List<Element>) where Element: RealmCollectionValue {
    self.base = HiddenCollection(
      count: { base.count },
      element: { base.element(at: $0) },
      last: { base.last },
      iterator: { AnyIterator(base.makeIterator()) },
      objects: { base },
      origin: { base.realm },
      isInvalidated: { base.isInvalidated },
      isFrozen: { base.isFrozen },
      setValue: { base.setValue($0, forKey: $1) },
      report: { base.reportFailure($0) }
    )
  }

  /// Hides the type of a set.
  public init(_ base: MutableSet<Element>) where Element: RealmCollectionValue {
    self.base = HiddenCollection(
      count: { base.count },
      element: { base.element(at: $0) },
      last: { base.element(at: base.count - 1) },
      iterator: { AnyIterator(base.makeIterator()) },
      objects: { base },
      origin: { base.realm },
      isInvalidated: { base.isInvalidated },
      isFrozen: { base.isFrozen },
      setValue: { base.setValue($0, forKey: $1) },
      report: { base.reportFailure($0) }
    )
  }

  /// The number of elements, with links to objects that are gone.
  public var count: Int { base.count() }

  /// Whether there is no element.
  public var isEmpty: Bool { base.count() == 0 }

  /// The first element; nil where there is none, or where it is an object that is gone.
  public var first: Element? { base.element(0) }

  /// The last element; nil where there is none, or where it is an object that is gone.
  public var last: Element? { base.last() }

  /// The element at a place; nil beyond the ends, and where it is an object that is gone. The element of a list
  /// is found by its index; in results and in a large set the elements before it are skipped, and not made.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { base.element(index) }

  /// An iterator over the elements as they are now, without objects that are gone.
  public func makeIterator() -> AnyIterator<Element> { base.iterator() }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }

  /// The store that has the collection; nil where none has.
  public var realm: Realm? { base.origin() }

  /// Whether the object that the collection belongs to has been deleted; that of results belongs to none.
  public var isInvalidated: Bool { base.isInvalidated() }

  /// Whether no write changes the collection.
  public var isFrozen: Bool { base.isFrozen() }

  /// The values that a property has in each object; the elements themselves for `self`.
  ///
  /// A property that does not exist has no values, which is reported to the event handler of the store.
  public func value(forKey key: String) -> [Any] {
    do { return try KeyedValues.shown(key, of: self) } catch {
      base.report(error)
      return []
    }
  }

  /// Assigns a property of each object. A value that does not fit changes nothing, and is reported to the
  /// event handler.
  public func setValue(_ value: Any?, forKey key: String) { base.setValue(value, key) }

  /// The values at a key path from each element, or the result of an operator such as `@count` and `@max.age`.
  ///
  /// - Returns: nil where there is no such key path, which is reported to the event handler of the store.
  public func value(forKeyPath keyPath: String) -> Any? {
    do { return try KeyPathValues.value(keyPath, of: self) } catch {
      base.report(error)
      return nil
    }
  }
}

extension AnyRealmCollection: ObjectCollection where Element: Object {
  /// The class of the objects.
  public typealias Member = Element

  private func asked<Value>(_ fallback: Value, _ body: (any ObjectCollection) -> Any?) -> Value {
    (base.objects() as? any ObjectCollection).flatMap(body) as? Value ?? fallback
  }

  /// The objects as results.
  public var results: Results<Element> {
    if let results = base.objects() as? Results<Element> { return results }
    func results(_ collection: some ObjectCollection) -> Any { collection.results }
    return asked(.failing(FiefError(.invalidQuery, "The collection has no objects."))) { results($0) }
  }

  /// The objects of a collection that no store has.
  public var _unstoredMembers: [Element]? {
    func members(_ collection: some ObjectCollection) -> Any? { collection._unstoredMembers }
    return asked(nil) { members($0) }
  }

  /// The place of an object, nil where it is not in the collection.
  public func index(of object: Element) -> Int? {
    (base.objects() as? List<Element>).map { $0.index(of: object) } ?? results.index(of: object)
  }
}

extension AnyRealmCollection: ObservableCollection where Element: Object {
  /// The type of the elements.
  public typealias ObservedElement = Element
  /// The type of the collection that handlers get.
  public typealias ObservedCollection = AnyRealmCollection

  /// The source and the follower of an observation of the collection.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<AnyRealmCollection> {
    switch base.objects() {
    case let list as List<Element>: list._observed(watched).projected { AnyRealmCollection($0) }
    case let set as MutableSet<Element>: set._observed(watched).projected { AnyRealmCollection($0) }
    default: results._observed(watched).projected { AnyRealmCollection($0) }
    }
  }
}

extension AnyRealmCollection where Element: Object {
  /// The object at a place. Beyond the ends, and if it was deleted, it is one in no store that cannot be saved, which is reported.
  public subscript(index: Int) -> Element {
    if let element = base.element(index) { return element }
    let error = FiefError(
      .invalidValue,
      "There is no object at the index of the collection.",
      type: Element.className(),
      details: ["the index: \(index)", "the count: \(count)"]
    )
    // The places of the results are others: they have no objects that are gone.
    if realm == nil { base.report(error) } else { results.reportOutOfBounds(index) }
    return Results.placeholder(error)
  }
}

extension Results {
  /// An object in no store that cannot be saved. The caller has reported the error.
  static func placeholder(_ error: FiefError) -> Element { failing(error).objectOrPlaceholder(at: 0) }
}

/// A collection that hides the type of another one.
protocol HidingCollection {
  /// The hidden collection.
  var hidden: Any { get }
}

extension AnyRealmCollection: HidingCollection {
  var hidden: Any { base.objects() }
}

extension AnyRealmCollection: CustomStringConvertible {
  /// The elements as an array writes them.
  public var description: String { Array(self).description }
}

/// The operations of a collection whose type is hidden.
private struct HiddenCollection<Element> {
  let count: () -> Int
  let element: (Int) -> Element?
  let last: () -> Element?
  let iterator: () -> AnyIterator<Element>
  /// The collection itself.
  let objects: () -> Any
  let origin: () -> Realm?
  let isInvalidated: () -> Bool
  let isFrozen: () -> Bool
  let setValue: (Any?, String) -> Void
  let report: (any Error) -> Void
}
