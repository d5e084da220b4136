/// The frequent operations on an inverse; ``LinkingObjects/results`` has all others of ``Results``.
extension LinkingObjects {
  /// The number of objects that link here, from the tree that leads back: no key is gathered, no object made.
  public var count: Int { usablePrefetched?.count ?? results.count }

  /// Whether nothing links here; no object is made.
  public var isEmpty: Bool { usablePrefetched?.isEmpty ?? results.isEmpty }

  /// The first object that links here, in the order of the keys; no other object is made.
  public var first: Element? { usablePrefetched.map(\.first) ?? results.first }

  /// The last object that links here, in the order of the keys.
  public var last: Element? { usablePrefetched.map(\.last) ?? results.last }

  /// The object at a place in the order of the keys, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? {
    guard let prefetched = usablePrefetched else { return results[index] }
    return prefetched.indices.contains(index) ? prefetched[index] : nil
  }

  /// Whether an object links here, by its key; none is made to find out.
  public func contains(_ object: Element) -> Bool { results.contains(object) }

  /// The place of an object in the order of the keys, nil where it does not link here.
  public func index(of object: Element) -> Int? { results.index(of: object) }
}
