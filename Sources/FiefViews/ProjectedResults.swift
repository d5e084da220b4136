import FiefCore

extension Results {
  /// The same objects, each seen through a projection.
  public func `as`<Target: Projection<Element>>(_ type: Target.Type) -> ProjectedResults<Target, Element> {
    ProjectedResults(objects: self)
  }
}

extension Store {
  /// The objects of a type, each seen through a projection.
  ///
  /// ```swift
  /// for person in store.objects(PersonName.self).filter("age > 30") { print(person.name) }
  /// ```
  public func objects<Target: Projection<Root>, Root: Object>(
    _ type: Target.Type
  ) -> ProjectedResults<Target, Root> { objects(Root.self).as(type) }
}

extension AccessScope {
  /// The objects of a type as this scope sees them, each seen through a projection.
  public final func objects<Target: Projection<Root>, Root: Object>(
    _ type: Target.Type
  ) -> ProjectedResults<Target, Root> { objects(Root.self).as(type) }
}

/// The objects of ``Results``, each seen through a ``Projection``: as lazy as these.
///
/// Conditions and orders by names are about the properties of the objects, those by key paths of the projection about what
/// these are projected from.
public struct ProjectedResults<Element: Projection<Root>, Root: Object>: Sendable {
  /// The objects.
  public let objects: Results<Root>

  /// The number of objects.
  public var count: Int { objects.count }

  /// Whether there is no object.
  public var isEmpty: Bool { objects.isEmpty }

  /// The first projection, nil where there is none.
  public var first: Element? { objects.first.map { Element(projecting: $0) } }

  /// The last projection, nil where there is none.
  public var last: Element? { objects.last.map { Element(projecting: $0) } }

  /// The projection at a place in the order, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { objects[index].map { Element(projecting: $0) } }

  /// Every projection, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a property that does not exist.
  public func all() throws -> [Element] { try objects.all().map { Element(projecting: $0) } }

  /// The place of a projection's object, nil where it is none of these.
  public func index(of projection: Element) -> Int? { objects.index(of: projection.rootObject) }

  /// The place of the first object for which a text is true, nil where there is none.
  public func index(matching format: String, _ args: Any...) -> Int? {
    objects.index(matching: format, variadic: args)
  }

  /// Finds the first object that matches a query text, and returns its index, or nil if no object matches.
  public func index(matching format: String) -> Int? { objects.index(matching: format) }

  /// Whether a projection's object is among these.
  public func contains(_ projection: Element) -> Bool { objects.contains(projection.rootObject) }

  /// The objects and their order in one state, as ``Results/freeze()`` has it.
  public func freeze() -> FrozenProjectedResults<Element, Root> {
    FrozenProjectedResults(objects: objects.freeze())
  }

  /// Whether there are always the same objects: false.
  public var isFrozen: Bool { false }
}

extension ProjectedResults: Sequence {
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = objects.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// The objects that ``ProjectedResults`` had in one state, each seen through a projection.
public struct FrozenProjectedResults<Element: Projection<Root>, Root: Object>: RandomAccessCollection,
  Sendable
{
  /// The objects.
  public let objects: FrozenResults<Root>

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object.
  public var endIndex: Int { objects.endIndex }

  /// The projection at a place, which has to be one of an object.
  public subscript(index: Int) -> Element { Element(projecting: objects[index]) }

  /// An iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = objects.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }

  /// Whether there are always the same objects: true.
  public var isFrozen: Bool { true }

  /// The results that these objects were, as they are now.
  public func thaw() -> ProjectedResults<Element, Root> { objects.thaw().as(Element.self) }
}
