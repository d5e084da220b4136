import FiefCore
import FiefObserving

/// The list or the set whose elements are projected.
enum ProjectedMembers<Element: ObjectBase & RealmCollectionValue> {
  case list(List<Element>)
  case set(MutableSet<Element>)

  init?(_ collection: AnyObject) {
    if let list = collection as? List<Element> {
      self = .list(list)
    } else if let set = collection as? MutableSet<Element> {
      self = .set(set)
    } else {
      return nil
    }
  }

  var count: Int {
    switch self {
    case .list(let list): list.count
    case .set(let set): set.count
    }
  }

  var collection: OwnedCollection {
    switch self {
    case .list(let list): list
    case .set(let set): set
    }
  }

  /// Returns the object at an index. If the object was deleted, returns an object without a store and reports
  /// the failure.
  subscript(index: Int) -> Element {
    switch self {
    case .list(let list): return list[index]
    case .set(let set):
      let elements = Array(set)
      if elements.indices.contains(index) { return elements[index] }
      // The count of a set includes links to deleted objects.
      precondition(index >= 0 && index < set.count, "Index out of range")
      set.report(OwnedCollection.goneElement)
      return Element()
    }
  }

  func makeIterator() -> AnyIterator<Element> {
    switch self {
    case .list(let list): AnyIterator(list.makeIterator())
    case .set(let set): AnyIterator(set.makeIterator())
    }
  }

  /// Returns the first index of an element that satisfies a condition.
  func firstIndex(where condition: (Element) throws -> Bool) rethrows -> Int? {
    switch self {
    case .list(let list): try list.indices.first { try condition(list[$0]) }
    case .set(let set): try Array(set).firstIndex(where: condition)
    }
  }
}

/// The operations that a ``ProjectedCollection`` needs from its elements, whose class it does not know
/// statically.
protocol ProjectedElementAccess<Value>: ElementProjecting {
  associatedtype Value
  var count: Int { get }
  var isFrozen: Bool { get }
  /// The store in which the collection is, or `nil` if it is in no store.
  var originStore: Store? { get }
  /// Returns whether the owner of the collection was in a store but no longer exists there.
  func isOwnerGone() throws -> Bool
  func value(at index: Int) -> Value
  func set(_ value: Value, at index: Int)
  func firstIndex(where condition: (Value) throws -> Bool) rethrows -> Int?
  func makeIterator() -> AnyIterator<Value>
  /// Returns the current values, for a projection whose object belongs to a frozen state.
  func kept() -> any ProjectedElementAccess<Value>
  func freeze() -> any ProjectedElementAccess<Value>
  func thaw() -> (any ProjectedElementAccess<Value>)?
  func report(_ error: any Error)
  func observation(
    _ watched: _WatchedPaths
  ) -> _Observation<RealmCollectionChange<ProjectedCollection<Value>>>
}

/// The elements of a collection, and the property of each element that is shown.
struct ProjectedElements<Element: ObjectBase & RealmCollectionValue, Value>: ProjectedElementAccess {
  let source: ProjectedMembers<Element>
  let keyPath: KeyPath<Element, Value>

  var elementKeyPath: AnyKeyPath { keyPath }
  var members: Any { source.collection }
  var count: Int { source.count }
  var isFrozen: Bool { false }
  var originStore: Store? { source.collection.originStore }

  func isOwnerGone() throws -> Bool { try source.collection.isOwnerGone() }

  func value(at index: Int) -> Value { source[index][keyPath: keyPath] }

  func set(_ value: Value, at index: Int) {
    let member = source[index]
    guard let writable = keyPath as? ReferenceWritableKeyPath<Element, Value> else {
      member.reportMisuse(ProjectionSchema.readOnly(keyPath, of: Element.self))
      return
    }
    member[keyPath: writable] = value
  }

  func firstIndex(where condition: (Value) throws -> Bool) rethrows -> Int? {
    try source.firstIndex { try condition($0[keyPath: keyPath]) }
  }

  func makeIterator() -> AnyIterator<Value> {
    let members = source.makeIterator()
    return AnyIterator { members.next().map { $0[keyPath: keyPath] } }
  }

  func kept() -> any ProjectedElementAccess<Value> {
    FrozenElements(
      values: Array(makeIterator()),
      elements: self,
      origin: try? FrozenOrigin(of: source.collection)
    )
  }

  func freeze() -> any ProjectedElementAccess<Value> {
    do {
      let origin = try FrozenOrigin(of: source.collection)
      let (holder, part) = try origin.committed()
      guard let members = ProjectedMembers<Element>(part) else { throw origin.goneError }
      let elements = ProjectedElements(source: members, keyPath: keyPath)
      let values = withExtendedLifetime(holder) { Array(elements.makeIterator()) }
      return FrozenElements(values: values, elements: elements, origin: origin)
    } catch {
      report(error)
      return FrozenElements(values: Array(makeIterator()), elements: self, origin: nil)
    }
  }

  func thaw() -> (any ProjectedElementAccess<Value>)? { self }

  func report(_ error: any Error) { source.collection.reportMisuse(error) }

  func observation(
    _ watched: _WatchedPaths
  ) -> _Observation<RealmCollectionChange<ProjectedCollection<Value>>> {
    let shown = ElementProperty(keyPath: keyPath)
    switch source {
    case .list(let list):
      return list._observation(watched, of: Element.self).map {
        $0.mapping { shown.collection(.list($0)) }
      }
    case .set(let set):
      return set._observation(watched, of: Element.self).map {
        $0.mapping { shown.collection(.set($0)) }
      }
    }
  }
}

/// The frozen values of a property of the elements.
struct FrozenElements<Element: ObjectBase & RealmCollectionValue, Value>: ProjectedElementAccess {
  let values: [Value]
  let elements: ProjectedElements<Element, Value>
  /// The location of the collection, or `nil` if it was not in a store.
  let origin: FrozenOrigin?

  var elementKeyPath: AnyKeyPath { elements.keyPath }
  var members: Any { elements.members }
  var count: Int { values.count }
  var isFrozen: Bool { true }
  var originStore: Store? { origin?.store }

  func isOwnerGone() throws -> Bool { false }
  func value(at index: Int) -> Value { values[index] }
  func set(_ value: Value, at index: Int) { report(FrozenOrigin.unassignable(Element.self)) }
  func firstIndex(where condition: (Value) throws -> Bool) rethrows -> Int? {
    try values.firstIndex(where: condition)
  }
  func makeIterator() -> AnyIterator<Value> { AnyIterator(values.makeIterator()) }
  func kept() -> any ProjectedElementAccess<Value> { self }
  func freeze() -> any ProjectedElementAccess<Value> { self }

  func thaw() -> (any ProjectedElementAccess<Value>)? {
    do {
      guard let found = try origin?.found() else { return nil }
      return ProjectedMembers<Element>(found).map { ProjectedElements(source: $0, keyPath: elements.keyPath) }
    } catch {
      report(error)
      return nil
    }
  }

  func report(_ error: any Error) { elements.report(error) }

  func observation(
    _ watched: _WatchedPaths
  ) -> _Observation<RealmCollectionChange<ProjectedCollection<Value>>> {
    _Observation(failing: FrozenOrigin.unobservable(Element.self))
  }
}

/// The property of the elements that is shown.
// SAFETY: a key path is immutable. It only compares its subscript arguments, if it has any, and passes them
// on.
private struct ElementProperty<Element: ObjectBase & RealmCollectionValue, Value>: @unchecked Sendable {
  let keyPath: KeyPath<Element, Value>

  func collection(_ members: ProjectedMembers<Element>) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(source: members, keyPath: keyPath))
  }
}
