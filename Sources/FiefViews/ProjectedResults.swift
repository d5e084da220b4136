import FiefCore

extension Results {
  /// Returns the objects as projections.
  public func `as`<Target: ProjectionObservable>(_ type: Target.Type) -> ProjectedResults<Target, Element>
  where Target.Root == Element {
    ProjectedResults(objects: self)
  }
}

extension Store {
  /// Returns the objects of a type as projections.
  ///
  /// ```swift
  /// for person in store.objects(PersonName.self).filter("age > 30") { print(person.name) }
  /// ```
  public func objects<Target: ProjectionObservable>(_ type: Target.Type) -> ProjectedResults<
    Target, Target.Root
  >
  where Target.Root: Object { objects(Target.Root.self).as(type) }
}

extension AccessScope {
  /// Returns the objects of a type, in the state of this scope, as projections.
  public final func objects<Target: ProjectionObservable>(_ type: Target.Type) -> ProjectedResults<
    Target, Target.Root
  >
  where Target.Root: Object { objects(Target.Root.self).as(type) }
}

/// The objects of ``Results`` as instances of a ``Projection``. They are as lazy as the results.
///
/// Names in conditions and orders are names of properties of the objects. Key paths of the projection refer
/// to the properties that the projection shows.
public struct ProjectedResults<Element: ProjectionObservable, Root: Object>: Sendable
where Element.Root == Root {
  /// The objects.
  public let objects: Results<Root>

  /// The number of objects.
  public var count: Int { objects.count }

  /// A Boolean value that indicates whether there are no objects.
  public var isEmpty: Bool { objects.isEmpty }

  /// The first projection, or `nil` if there are no objects.
  public var first: Element? { objects.first.map { Element(projecting: $0) } }

  /// The last projection, or `nil` if there are no objects.
  public var last: Element? { objects.last.map { Element(projecting: $0) } }

  /// Returns the projection at an index, or `nil` if the index is out of range.
  ///
  /// In a file that imports `FiefRealm`, that module's subscript is used instead. Its result is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { objects[index].map { Element(projecting: $0) } }

  /// Returns all projections, read in one transaction.
  ///
  /// - Throws: ``FiefError`` if the store is closed, a record is damaged or a property does not exist.
  public func all() throws -> [Element] { try objects.all().map { Element(projecting: $0) } }

  /// Returns the index of a projection's object, or `nil` if the results do not contain it.
  public func index(of projection: Element) -> Int? { objects.index(of: projection.rootObject) }

  /// Returns the index of the first object that matches a query text, or `nil` if no object matches.
  public func index(matching format: String, _ args: Any...) -> Int? {
    objects.index(matching: format, variadic: args)
  }

  /// Returns the index of the first object that matches a query text without arguments, or `nil` if no object
  /// matches.
  public func index(matching format: String) -> Int? { objects.index(matching: format) }

  /// Returns whether the results contain a projection's object.
  public func contains(_ projection: Element) -> Bool { objects.contains(projection.rootObject) }

  /// Returns a frozen copy of the objects and their order, like ``Results/freeze()``.
  public func freeze() -> FrozenProjectedResults<Element, Root> {
    FrozenProjectedResults(objects: objects.freeze())
  }

  /// A Boolean value that indicates whether the objects never change: `false`.
  public var isFrozen: Bool { false }
}

extension ProjectedResults: Sequence {
  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = objects.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }
}

/// The frozen objects of ``ProjectedResults``, as projections.
public struct FrozenProjectedResults<Element: ProjectionObservable, Root: Object>: FrozenCollection, Sendable
where Element.Root == Root {
  /// The objects.
  public let objects: FrozenResults<Root>

  /// The index after the last object.
  public var endIndex: Int { objects.endIndex }

  /// Returns the projection at an index, which must be valid.
  public subscript(index: Int) -> Element { Element(projecting: objects[index]) }

  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = objects.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }

  /// Returns the current results.
  public func thaw() -> ProjectedResults<Element, Root> { objects.thaw().as(Element.self) }
}
