extension MutableSet {
  /// An element, which one is not said; nil where there is none.
  public var first: Element? {
    var elements = makeIterator()
    return elements.next()
  }

  /// Keeps the elements that either this set or another one has, and not both.
  public func formSymmetricDifference(_ other: MutableSet<Element>) {
    willChange()
    for element in Array(other) {
      if contains(element) { remove(element) } else { insert(element) }
    }
    willChangeUnread()
  }

  /// The elements that one of two sets has, and not both, as one that belongs to no object.
  public func symmetricDifference(_ other: MutableSet<Element>) -> MutableSet<Element> {
    let result = MutableSet(self)
    result.formSymmetricDifference(other)
    return result
  }

  /// Whether every element of another set is in this one.
  public func isSuperset(of other: MutableSet<Element>) -> Bool { other.isSubset(of: self) }

  /// Whether every element is in another set, which has more.
  public func isStrictSubset(of other: MutableSet<Element>) -> Bool {
    isSubset(of: other) && !other.isSubset(of: self)
  }

  /// Whether every element of another set is in this one, which has more.
  public func isStrictSuperset(of other: MutableSet<Element>) -> Bool { other.isStrictSubset(of: self) }

  /// Whether the sets share no element.
  public func isDisjoint(with other: MutableSet<Element>) -> Bool { !intersects(other) }
}
