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
    ProjectedCollection(ProjectedElements(members: members, keyPath: keyPath))
  }
}

/// The values of a property of the objects in a list or a set: as live as these.
///
/// ```swift
/// @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
/// ```
/// An assignment to a place is one to the property of the object there, as far as that can be assigned; it joins a write as
/// that does. An index out of range ends the process, as an array's does.
public struct ProjectedCollection<Element>: RandomAccessCollection, ElementProjecting {
  private let elements: any ProjectedElementAccess<Element>

  init(_ elements: any ProjectedElementAccess<Element>) { self.elements = elements }

  var elementKeyPath: AnyKeyPath { elements.elementKeyPath }

  /// The place of the first value.
  public var startIndex: Int { 0 }

  /// The place behind the last value.
  public var endIndex: Int { elements.count }

  /// The value at a place, which has to be one of an element. What cannot be assigned is reported as
  /// ``StoreEvent/misuse(_:)``.
  public subscript(index: Int) -> Element {
    get { elements.value(at: index) }
    nonmutating set { elements.set(newValue, at: index) }
  }

  /// An iterator over the values as they are now.
  public func makeIterator() -> AnyIterator<Element> { elements.makeIterator() }

  /// The place of the first value that is equal, nil where there is none.
  public func index(of value: Element) -> Int? where Element: Equatable { firstIndex(of: value) }

  /// The object in whose property the list or the set is; nil where it is in none.
  package var owner: ObjectBase? { elements.owner }
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
  /// What handlers are handed.
  public typealias ObservedCollection = ProjectedCollection<Element>

  /// How it is followed: key paths are names of properties of the objects.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedCollection> {
    elements.observed(watched)
  }
}
