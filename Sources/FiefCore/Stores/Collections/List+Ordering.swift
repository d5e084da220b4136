/// Methods that reorder the elements. They move the elements inside the list, so that links to deleted and
/// unread objects are preserved. The default methods of ``MutableCollection`` would write back only the
/// elements that they have read.
extension List {
  /// Sorts the elements. Deleted objects come last.
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

  /// Reverses the order of the elements.
  public func reverse() {
    willChange()
    arrange(indices.reversed())
  }

  /// Shuffles the elements.
  public func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Shuffles the elements with a random number generator.
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    willChange()
    arrange(indices.shuffled(using: &generator))
  }

  /// Moves the elements that meet a condition behind the others. Both parts keep their order. Deleted objects
  /// stay in the first part.
  ///
  /// - Returns: the index of the first element that meets the condition, or `count` if no element meets it.
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

  /// Arranges the elements in the order of the given indexes.
  private func arrange(_ order: [Int]) {
    // If the closure has changed the list in the meantime, these changes are kept.
    guard order.count == count else { return reportOutOfBounds(order.count, count: count) }
    /// The current index of each element by its former index, and the former index by the current one.
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
  /// Sorts the elements in ascending order.
  public func sort() { sort(by: <) }
}
