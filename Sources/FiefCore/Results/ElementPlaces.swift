/// Conversion of element indexes between two states of a collection.
package enum ElementPlaces {
  /// Converts the indexes of elements that are in both states from one state to the other. All indexes are in
  /// ascending order.
  ///
  /// - Parameters:
  ///   - places: the indexes in one state.
  ///   - own: the indexes of the elements that are only in this state.
  ///   - others: the indexes, in the other state, of the elements that are only in the other state.
  /// - Returns: the indexes of the same elements in the other state.
  package static func converted(_ places: [Int], without own: [Int], among others: [Int]) -> [Int] {
    var (ownBefore, othersBefore) = (0, 0)
    return places.map { place in
      while ownBefore < own.count, own[ownBefore] < place { ownBefore += 1 }
      while othersBefore < others.count, others[othersBefore] <= place - ownBefore + othersBefore {
        othersBefore += 1
      }
      return place - ownBefore + othersBefore
    }
  }
}
