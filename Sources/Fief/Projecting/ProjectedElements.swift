/// A collection that is made of one property of objects.
protocol ElementProjecting {
  var elementKeyPath: AnyKeyPath { get }
}

/// The list or the set whose elements are projected.
enum ProjectedMembers<Element: ObjectBase & RealmCollectionValue> {
  case list(List<Element>)
  case set(MutableSet<Element>)

  var count: Int {
    switch self {
    case .list(let list): list.count
    case .set(let set): set.count
    }
  }

  subscript(index: Int) -> Element {
    switch self {
    case .list(let list): list[index]
    case .set(let set): Array(set)[index]
    }
  }

  func makeIterator() -> AnyIterator<Element> {
    switch self {
    case .list(let list): AnyIterator(list.makeIterator())
    case .set(let set): AnyIterator(set.makeIterator())
    }
  }
}

/// What a ``ProjectedCollection`` asks of its elements, whose class it does not know.
protocol ProjectedElementAccess<Value>: ElementProjecting {
  associatedtype Value
  var count: Int { get }
  var owner: ObjectBase? { get }
  func value(at index: Int) -> Value
  func set(_ value: Value, at index: Int)
  func makeIterator() -> AnyIterator<Value>
  func observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedCollection<Value>>
}

/// The elements of a collection, and which of their properties is shown.
struct ProjectedElements<Element: ObjectBase & RealmCollectionValue, Value>: ProjectedElementAccess {
  let members: ProjectedMembers<Element>
  let keyPath: KeyPath<Element, Value>

  var elementKeyPath: AnyKeyPath { keyPath }
  var count: Int { members.count }

  var owner: ObjectBase? {
    switch members {
    case .list(let list): list.owner
    case .set(let set): set.owner
    }
  }

  func value(at index: Int) -> Value { members[index][keyPath: keyPath] }

  func set(_ value: Value, at index: Int) {
    let member = members[index]
    guard let writable = keyPath as? ReferenceWritableKeyPath<Element, Value> else {
      member.reportMisuse(ProjectionSchema.readOnly(keyPath, of: Element.self))
      return
    }
    member[keyPath: writable] = value
  }

  func makeIterator() -> AnyIterator<Value> {
    let members = members.makeIterator()
    return AnyIterator { members.next().map { $0[keyPath: keyPath] } }
  }

  func observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedCollection<Value>> {
    let shown = ShownProperty(keyPath: keyPath)
    switch members {
    case .list(let list): return list._observed(watched).projected { shown.collection(.list($0)) }
    case .set(let set): return set._observed(watched).projected { shown.collection(.set($0)) }
    }
  }
}

/// The property of elements that is shown.
// SAFETY: a key path is constant, and what it may hold are arguments of subscripts, which it only compares and passes on.
private struct ShownProperty<Element: ObjectBase & RealmCollectionValue, Value>: @unchecked Sendable {
  let keyPath: KeyPath<Element, Value>

  func collection(_ members: ProjectedMembers<Element>) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(members: members, keyPath: keyPath))
  }
}

extension _ObservedCollection {
  /// The same collection, of which handlers are handed what is made of it.
  func projected<Made>(_ make: @escaping @Sendable (Collection) -> Made) -> _ObservedCollection<Made> {
    _ObservedCollection<Made> {
      let source = try source()
      let collection = source.collection
      return .init(
        store: source.store,
        follower: source.follower,
        collection: { make(try collection($0, $1)) },
        didBegin: source.didBegin
      )
    }
  }
}
