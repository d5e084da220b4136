extension MutableSet {
  /// An arbitrary element, or `nil` if the set is empty.
  public var first: Element? {
    var elements = makeIterator()
    return elements.next()
  }

  /// Removes the elements that are also in another set, and inserts the elements that are only in the other
  /// set.
  public func formSymmetricDifference(_ other: MutableSet<Element>) {
    willChange()
    for element in Array(other) {
      if contains(element) { remove(element) } else { insert(element) }
    }
    willChangeUnread()
  }

  /// Returns the elements that are in either of two sets, but not in both, as a set that belongs to no
  /// object.
  public func symmetricDifference(_ other: MutableSet<Element>) -> MutableSet<Element> {
    let result = MutableSet(self)
    result.formSymmetricDifference(other)
    return result
  }

  /// Returns a Boolean value that indicates whether this set contains every element of another set.
  public func isSuperset(of other: MutableSet<Element>) -> Bool { other.isSubset(of: self) }

  /// Returns a Boolean value that indicates whether another set contains every element of this set, and more
  /// elements.
  public func isStrictSubset(of other: MutableSet<Element>) -> Bool {
    isSubset(of: other) && !other.isSubset(of: self)
  }

  /// Returns a Boolean value that indicates whether this set contains every element of another set, and more
  /// elements.
  public func isStrictSuperset(of other: MutableSet<Element>) -> Bool { other.isStrictSubset(of: self) }

  /// Returns a Boolean value that indicates whether the sets have no element in common.
  public func isDisjoint(with other: MutableSet<Element>) -> Bool { !intersects(other) }
}
