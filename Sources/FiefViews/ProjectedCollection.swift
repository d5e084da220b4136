import FiefCore
import FiefObserving

extension List where Element: ObjectBase {
  /// Selects one property of the elements for a ``Projected`` property: `\Person.friends.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(.list(self)) }
}

extension MutableSet where Element: ObjectBase {
  /// Selects one property of the elements for a ``Projected`` property: `\Person.friends.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(.set(self)) }
}

/// Projects the elements of a list or a set to one of their properties.
///
/// ```swift
/// let names = person.friends.projectTo.name
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
  private let members: ProjectedMembers<Element>

  init(_ members: ProjectedMembers<Element>) { self.members = members }

  /// Returns the values of a property of the elements.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(source: members, keyPath: keyPath))
  }
}

/// The values of one property of the objects in a list or a set. They are as live as the list or set.
///
/// ```swift
/// @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
/// ```
/// Assigning a value to an index assigns the property of the object at that index, if the property can be
/// assigned, and joins a write in the same way. Iterations of the collection (`for`, `map`, `Array`) skip
/// objects that were deleted in the meantime; at their indexes the values are the defaults of the class, and
/// the store reports an event. As for an array, an index out of range terminates the process.
public struct ProjectedCollection<Element>: RandomAccessCollection, ElementProjecting {
  private let elements: any ProjectedElementAccess<Element>

  init(_ elements: any ProjectedElementAccess<Element>) { self.elements = elements }

  package var elementKeyPath: AnyKeyPath { elements.elementKeyPath }
  package var members: Any { elements.members }

  /// The index of the first value.
  public var startIndex: Int { 0 }

  /// The index after the last value.
  public var endIndex: Int { elements.count }

  /// The value at an index, which must be valid. An impossible assignment is reported as
  /// ``StoreEvent/misuse(_:)``.
  public subscript(index: Int) -> Element {
    get { elements.value(at: index) }
    nonmutating set { elements.set(newValue, at: index) }
  }

  /// Returns an iterator over the current values.
  public func makeIterator() -> AnyIterator<Element> { elements.makeIterator() }

  /// A lower bound of the number of values. It is 0 unless the collection is frozen, because objects may be
  /// missing.
  public var underestimatedCount: Int { isFrozen ? elements.count : 0 }

  /// Returns the index of the first equal value, or `nil` if no value is equal.
  public func index(of value: Element) -> Int? where Element: Equatable { firstIndex(of: value) }

  /// Returns the index of the first equal value, or `nil` if no value is equal.
  public func firstIndex(of value: Element) -> Int? where Element: Equatable {
    elements.firstIndex { $0.isSame(as: value) }
  }

  /// Returns the index of the first value that satisfies a condition, or `nil` if no value does.
  public func firstIndex(where condition: (Element) throws -> Bool) rethrows -> Int? {
    try elements.firstIndex(where: condition)
  }

  /// Returns the results of calling a closure with each value.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var result: [Value] = []
    let values = makeIterator()
    while let value = values.next() { result.append(try transform(value)) }
    return result
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // The default implementation expects `count` values and terminates the process if objects are missing.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var result: ContiguousArray<Element> = []
    for element in self { result.append(element) }
    return result
  }

  /// A handle of the store in which the list or the set is, or `nil` if it is in no store.
  package var originStore: Store? { elements.originStore }

  /// Whether the owner of the list or the set was in a store but no longer exists there. Always `false` for
  /// frozen values.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  package func isOwnerGone() throws -> Bool { try elements.isOwnerGone() }

  /// Reports a failed operation to the event handler of the store.
  package func reportFailure(_ error: any Error) { elements.report(error) }
}

extension ProjectedCollection {
  /// A Boolean value that indicates whether the values never change, because ``freeze()`` created the
  /// collection or it belongs to a frozen projection.
  public var isFrozen: Bool { elements.isFrozen }

  /// Returns a frozen copy of the values, like ``Projection/freeze()``. An assignment to the copy changes
  /// nothing and is reported.
  public func freeze() -> ProjectedCollection { ProjectedCollection(elements.freeze()) }

  /// Returns the current collection in the store. Returns the collection itself if it is not frozen, and
  /// `nil` if it was deleted or was not in a store.
  public func thaw() -> ProjectedCollection? { elements.thaw().map { ProjectedCollection($0) } }
}

extension ProjectedCollection: FreezableCollection {
  func kept() -> Any { ProjectedCollection(elements.kept()) }
}

/// A collection whose values a frozen projection keeps.
protocol FreezableCollection {
  /// Returns a copy with the current values.
  func kept() -> Any
}

extension ProjectedCollection: CustomStringConvertible {
  /// A list of the values with their indexes.
  public var description: String {
    let lines = enumerated().map { "\t[\($0.offset)] \($0.element)\n" }.joined()
    return "ProjectedCollection<\(Element.self)> {\n\(lines)}"
  }
}

extension ProjectedCollection: ObservableCollection {
  /// Returns the observation of the values. Key paths are names of properties of the objects.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<ProjectedCollection>> {
    self.elements.observation(watched)
  }
}
