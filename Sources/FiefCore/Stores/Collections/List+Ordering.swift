/// Orders of the elements. They move the elements in the list itself, as links to objects that are gone and
/// to objects that were not read have places too; those of ``MutableCollection`` would write the elements
/// that they have read before.
extension List {
  /// Puts the elements in an order. Objects that are gone are behind all others.
  public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    willChange()
    var known: [(index: Int, element: Element)] = []
    var gone: [Int] = []
    for index in indices {
      if let element = self.known(at: index) { known.append((index, element)) } else { gone.append(index) }
    }
    // The closure may read the list.
    try known.sort { try areInIncreasingOrder($0.element, $1.element) }
    arrange(known.map(\.index) + gone)
  }

  /// Puts the elements in the opposite order.
  public func reverse() {
    willChange()
    arrange(indices.reversed())
  }

  /// Puts the elements in a random order.
  public func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Puts the elements in a random order that a generator makes.
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    willChange()
    arrange(indices.shuffled(using: &generator))
  }

  /// Puts the elements for which a condition holds behind the others; both stay in their order. Objects that are gone are
  /// with the others.
  ///
  /// - Returns: the index of the first one for which it holds; `count` where there is none.
  public func partition(by belongsInSecondPartition: (Element) throws -> Bool) rethrows -> Int {
    willChange()
    var parts: (first: [Int], second: [Int]) = ([], [])
    for index in indices {
      if let element = known(at: index), try belongsInSecondPartition(element) {
        parts.second.append(index)
      } else {
        parts.first.append(index)
      }
    }
    arrange(parts.first + parts.second)
    return parts.first.count
  }

  /// Puts the elements in an order that is given by their indexes.
  private func arrange(_ order: [Int]) {
    // Changes by the closure to the list meanwhile are kept.
    guard order.count == count else { return reportOutOfBounds(order.count, count: count) }
    /// The present index of each element by its former index, and the former one by the present one.
    var place = Array(order.indices)
    var origin = Array(order.indices)
    for (target, wanted) in order.enumerated() {
      let source = place[wanted]
      if source == target { continue }
      swapAt(target, source)
      let other = origin[target]
      (origin[target], origin[source]) = (wanted, other)
      (place[wanted], place[other]) = (target, source)
    }
  }
}

extension List where Element: Comparable {
  /// Puts the elements in ascending order.
  public func sort() { sort(by: <) }
}
