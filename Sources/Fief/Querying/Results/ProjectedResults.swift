extension Results {
  /// The same objects, each seen through a projection.
  public func `as`<Target: Projection<Element>>(_ type: Target.Type) -> ProjectedResults<Target, Element> {
    ProjectedResults(objects: self)
  }
}

/// The objects of ``Results``, each seen through a ``Projection``: as lazy as these.
public struct ProjectedResults<Element: Projection<Root>, Root: Object>: Sendable {
  let objects: Results<Root>

  /// The number of objects.
  public var count: Int { objects.count }

  /// Whether there is no object.
  public var isEmpty: Bool { objects.isEmpty }

  /// The first projection, nil where there is none.
  public var first: Element? { objects.first.map { Element(projecting: $0) } }

  /// The last projection, nil where there is none.
  public var last: Element? { objects.last.map { Element(projecting: $0) } }

  /// The projection at a place in the order, nil beyond the end.
  public subscript(index: Int) -> Element? { objects[index].map { Element(projecting: $0) } }

  /// Every projection, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a property that does not exist.
  public func all() throws -> [Element] { try objects.all().map { Element(projecting: $0) } }
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
