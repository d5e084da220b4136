/// The places of elements in two states of a collection.
package enum ElementPlaces {
  /// Converts the places of elements that stay from one state to the other. All places ascend.
  ///
  /// - Parameters:
  ///   - places: the places in one state.
  ///   - own: the elements of this state that the other one does not have.
  ///   - others: the elements of the other state that this one does not have.
  /// - Returns: the places of the same elements in the other state.
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
