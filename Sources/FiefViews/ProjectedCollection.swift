import FiefCore
import FiefObserving

extension List where Element: ObjectBase {
  /// The elements by one of their properties, for a ``Projected`` property: `\Person.friends.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(.list(self)) }
}

extension MutableSet where Element: ObjectBase {
  /// The elements by one of their properties, for a ``Projected`` property: `\Person.friends.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(.set(self)) }
}

/// The elements of a list or a set by one of their properties.
///
/// ```swift
/// let names = person.friends.projectTo.name
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
  private let members: ProjectedMembers<Element>

  init(_ members: ProjectedMembers<Element>) { self.members = members }

  /// The values of a property of the elements.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(source: members, keyPath: keyPath))
  }
}

/// The values of a property of the objects in a list or a set: as live as these.
///
/// ```swift
/// @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
/// ```
/// An assignment to a place is one to the property of the object there, if that can be assigned; it joins a
/// write like that. An object that was deleted meanwhile is left out by iterations of the collection (`for`,
/// `map`, `Array`); at its place there are the defaults of its class, which is reported. An index out of
/// range ends the process, as an array's does.
public struct ProjectedCollection<Element>: RandomAccessCollection, ElementProjecting {
  private let elements: any ProjectedElementAccess<Element>

  init(_ elements: any ProjectedElementAccess<Element>) { self.elements = elements }

  package var elementKeyPath: AnyKeyPath { elements.elementKeyPath }
  package var members: Any { elements.members }

  /// The place of the first value.
  public var startIndex: Int { 0 }

  /// The place behind the last value.
  public var endIndex: Int { elements.count }

  /// The value at a place, which has to be one of an element. An assignment that is impossible is reported as
  /// ``StoreEvent/misuse(_:)``.
  public subscript(index: Int) -> Element {
    get { elements.value(at: index) }
    nonmutating set { elements.set(newValue, at: index) }
  }

  /// An iterator over the values as they are now.
  public func makeIterator() -> AnyIterator<Element> { elements.makeIterator() }

  /// A number of values that there are at least: 0, as objects may be gone.
  public var underestimatedCount: Int { isFrozen ? elements.count : 0 }

  /// The place of the first value that is equal, nil where there is none.
  public func index(of value: Element) -> Int? where Element: Equatable { firstIndex(of: value) }

  /// The place of the first value that is equal, nil where there is none.
  public func firstIndex(of value: Element) -> Int? where Element: Equatable {
    elements.firstIndex { $0.isSame(as: value) }
  }

  /// The place of the first value for which a condition holds, nil where there is none.
  public func firstIndex(where condition: (Element) throws -> Bool) rethrows -> Int? {
    try elements.firstIndex(where: condition)
  }

  /// The values that a closure returns for the elements.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var result: [Value] = []
    let values = makeIterator()
    while let value = values.next() { result.append(try transform(value)) }
    return result
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // A collection's own asks for as many values as `count` says, and ends the process where objects are gone.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var result: ContiguousArray<Element> = []
    for element in self { result.append(element) }
    return result
  }

  /// A handle of the store that has the list or the set; nil where none has.
  package var originStore: Store? { elements.originStore }

  /// Whether the object that has the list or the set was in a store and is not there any more; false for frozen values.
  ///
  /// - Throws: ``FiefError`` where the store cannot be read.
  package func isOwnerGone() throws -> Bool { try elements.isOwnerGone() }

  /// Tells the event handler of the store what could not be done.
  package func reportFailure(_ error: any Error) { elements.report(error) }
}

extension ProjectedCollection {
  /// Whether the values are always the same: false for a collection that was not made by ``freeze()``, and is not one of a
  /// frozen projection.
  public var isFrozen: Bool { elements.isFrozen }

  /// The values of one state, as ``Projection/freeze()`` has them: an assignment changes nothing and is reported.
  public func freeze() -> ProjectedCollection { ProjectedCollection(elements.freeze()) }

  /// The collection as the store has it now; itself where it is not frozen, nil where it was deleted or was
  /// in no store.
  public func thaw() -> ProjectedCollection? { elements.thaw().map { ProjectedCollection($0) } }
}

extension ProjectedCollection: KeptCollection {
  func kept() -> Any { ProjectedCollection(elements.kept()) }
}

/// A collection that a frozen projection has the values of.
protocol KeptCollection {
  /// The same with the values that it has now.
  func kept() -> Any
}

extension ProjectedCollection: CustomStringConvertible {
  /// The values with their places.
  public var description: String {
    let lines = enumerated().map { "\t[\($0.offset)] \($0.element)\n" }.joined()
    return "ProjectedCollection<\(Element.self)> {\n\(lines)}"
  }
}

extension ProjectedCollection: ObservableCollection {
  /// The type of the values.
  public typealias ObservedElement = Element
  /// The type of the collection that handlers get.
  public typealias ObservedCollection = ProjectedCollection<Element>

  /// The source and the follower of an observation of the collection; key paths are names of properties of
  /// the objects.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedCollection> {
    elements.observed(watched)
  }
}
