/// Frequently used operations on an inverse. ``LinkingObjects/results`` provides all other operations of
/// ``Results``.
extension LinkingObjects {
  /// The number of objects that link to this one. They are counted in the tree of backlinks; no object is
  /// created.
  public var count: Int { usablePrefetched?.count ?? results.count }

  /// A Boolean value that indicates whether no object links to this one. No object is created.
  public var isEmpty: Bool { usablePrefetched?.isEmpty ?? results.isEmpty }

  /// The first object that links to this one, in the order of the keys. No other object is created.
  public var first: Element? { usablePrefetched.map(\.first) ?? results.first }

  /// The last object that links to this one, in the order of the keys.
  public var last: Element? { usablePrefetched.map(\.last) ?? results.last }

  /// Returns the linking object at an index in the order of the keys, or `nil` beyond the end.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { knownObject(at: index) }

  /// Returns the object at an index in key order, or `nil` if the index is out of range or the object cannot
  /// be read. The event handler receives the error of a failed read.
  package func knownObject(at index: Int) -> Element? {
    guard let prefetched = usablePrefetched else { return results.knownObject(atPlace: index) }
    return prefetched.indices.contains(index) ? prefetched[index] : nil
  }

  /// Returns a Boolean value that indicates whether an object links to this one. Objects are compared by key;
  /// no object is created.
  public func contains(_ object: Element) -> Bool { results.contains(object) }

  /// Returns the index of an object in the order of the keys, or `nil` if it does not link to this one.
  public func index(of object: Element) -> Int? { results.index(of: object) }
}
